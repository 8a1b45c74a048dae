// harness/case/profile.h: what the probes at the start found out about a subject, as plain data.
//
// Generators draw from it, so that examples reach what the subject can do; cases read it to know whether a precondition
// holds. It is probed by the worker itself, once per subject, and never taken from another case's result.
#ifndef DLPACK_CTS_HARNESS_CASE_PROFILE_H_
#define DLPACK_CTS_HARNESS_CASE_PROFILE_H_

#include <cstdint>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// What library.toml claims. Each opens cases that nothing else can reach; what is claimed and fails is a failure.
enum class Claim : uint32_t {
  kConsumer,        // from_dlpack
  kProducer,        // make, and __dlpack__ on the result
  kCapsuleInput,    // from_dlpack takes a bare capsule
  kCompute,         // hook compute(array)
  kView,            // hook view(array)
  kWrite,           // hook write(array, index, bits)
  kReexport,        // an imported array can be exported
  kReadOnly,        // the library has read-only arrays, and describe() says so
  kReshapeInPlace,  // hook change_metadata(array, "reshape")
  kTransposeInPlace,
  kResizeInPlace,
  kArrayApi,       // the library claims array API 2023.12 or later
  kCopyKeyword,    // from_dlpack takes copy=
  kDeviceKeyword,  // from_dlpack takes device=
  kExchangeApi,    // the type carries the C exchange API
  kZeroCopy,       // imports of CPU memory alias it whenever the layout allows
  kCuda,           // the library makes arrays on a CUDA device of this machine
  kOddities,       // request.oddity other than kNone is understood (each may still be unsupported)
  kPython,         // the subject has the Python protocol (set by the worker)
  kCount,
};

struct Profile {
  uint32_t claims;            // bit per Claim
  uint8_t takes_legacy;       // a plain legacy capsule is imported
  uint8_t takes_versioned;    // a plain versioned capsule is imported
  uint8_t makes_legacy;       // __dlpack__() gives a legacy capsule
  uint8_t makes_versioned;    // __dlpack__(max_version=(1, 3)) gives a versioned capsule
  uint8_t takes_scalar;       // 0-d
  uint8_t survives_negative;  // negative strides are taken or refused; where they kill, one case says so for all
  uint8_t takes_empty;        // zero elements
  uint8_t takes_strided;      // a transposed matrix
  uint8_t takes_offset;       // byte_offset other than 0
  uint8_t takes_read_only;
  uint8_t shows_read_only;  // READ_ONLY came out as writable == 0
  uint8_t shows_writable;   // no flags came out as writable == 1
  uint8_t aliases;          // a plain import aliases the offered memory
  uint8_t takes_keywords;   // __dlpack__ of the library's arrays takes max_version
  uint64_t takes_dtypes;    // bit per DataTypes()
  uint64_t makes_dtypes;
  Refusal legacy_refusal;  // what was said, where takes_legacy is 0
  Refusal versioned_refusal;

  bool Claims(Claim claim) const { return (claims >> static_cast<uint32_t>(claim)) & 1u; }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_PROFILE_H_
