// harness/case/profile.h: what a subject can do, as plain data: probed at the start, within what library.toml declares.
//
// Generators draw from it, so that examples reach what the subject can do; cases read it to know whether a precondition
// holds. It is probed by the worker itself, once per subject, and never taken from another case's result.
#ifndef DLPACK_CTS_HARNESS_CASE_PROFILE_H_
#define DLPACK_CTS_HARNESS_CASE_PROFILE_H_

#include <cstdint>

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// What library.toml claims. Each enables the cases that need it. A claimed capability that does not work is a failure.
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
  kClose,          // hook close(array)
  kFromExchange,   // hook from_exchange(obj)
  kPeek,           // hook peek(obj)
  kPython,         // the subject has the Python protocol (set by the worker)
  kCount,
};

/// What [profile] of library.toml says of the library's choices. A trait never enables a case. It keeps cases from
/// requesting what the library does not have, and from reporting a legal choice as a violation.
enum class Trait : uint32_t {
  kImmutable,         // arrays cannot be written, and none is made read-only on request
  kCopies,            // every import is a copy
  kBorrows,           // an imported array uses the tensor through its producer or capsule, which has to live as long
  kCapsulesOnly,      // functions instead of methods: capsules are exported and imported bare
  kTypedImports,      // one type per array class: from_dlpack needs the dtype and ndim of the tensor
  kNarrows,           // documents that it converts types that it lacks to narrower ones
  kNoWeakReferences,  // an array's end cannot be observed, unless the adapter's watch() does it
  kCount,
};

/// What library.toml says of the library, in [profile]; 0 where it says nothing.
struct Declared {
  uint32_t traits;            // bit per Trait
  uint32_t ranks;             // bit per number of dimensions
  uint32_t imported_layouts;  // bit per Layout (harness/recipe/layout.h)
  uint32_t made_layouts;
  int32_t alignment_log2;  // imports need that alignment
  uint64_t last_extents;   // bit per extent that the last dimension may have
  uint64_t element_types;  // bit per DataTypes()
  static constexpr int64_t kLargestExtent = 63;

  /// Cases do not request ranks that library.toml excludes.
  bool MayHaveRank(int dims) const { return ranks == 0 || ((ranks >> dims) & 1u) != 0; }
  /// The same for an index into DataTypes().
  bool MayHaveType(int index) const { return element_types == 0 || ((element_types >> index) & 1u) != 0; }
};

/// The choices of a library that simple exchanges, compared with the reference, showed: a bit per choice that probes
/// look for (harness/choices/choice.h).
struct ChoicesSeen {
  uint64_t used;   // seen in at least one exchange
  uint64_t again;  // seen in another one too
  uint64_t left;   // an exchange that allowed it showed the reading of the reference

  /// Seen in every exchange that could show it, and in more than one.
  uint64_t Kept() const { return again & ~left; }
};

/// A device that is not the CPU. 0, 5, 6 and negative numbers are not device types; a later version may add some.
constexpr bool IsElsewhere(abi::DLDevice device) {
  const int32_t type = device.device_type;
  return type > abi::kDLCPU && type != 5 && type != 6 && device.device_id >= 0;
}

/// How a consumer takes a tensor of more than one dimension with an extent of 1.
enum class UnitExtents : uint8_t { kTaken, kWithNullStrides, kRefused };

struct Profile {
  uint32_t claims;  // bit per Claim
  Declared declared;

  // As a consumer.
  uint8_t takes_legacy;        // a plain legacy capsule is imported
  uint8_t takes_versioned;     // a plain versioned capsule is imported
  uint8_t bare_legacy;         // a legacy capsule is taken bare, and not through an object
  uint8_t bare_versioned;      // the same of a versioned one
  uint8_t plain_rank;          // of the plain tensor that is imported
  uint8_t plain_minor;         // the same, where it is versioned: 0 wherever that is taken
  uint8_t plain_dtype;         // of it: an index into DataTypes()
  uint8_t takes_scalar;        // 0-d
  uint8_t survives_negative;   // negative strides do not crash the library; if they do, one case reports it for all
  uint8_t takes_empty;         // zero elements
  uint8_t takes_strided;       // a transposed matrix, or any other layout than compact row-major
  uint8_t takes_null_strides;  // of compact data
  uint8_t takes_offset;        // byte_offset other than 0
  uint8_t takes_deepest;       // of more than kWalkedDims dimensions, the most that were not refused; 0: none
  uint8_t takes_read_only;
  uint8_t shows_read_only;       // READ_ONLY came out as writable == 0
  uint8_t shows_writable;        // no flags came out as writable == 1
  uint8_t aliases;               // a plain import aliases the offered memory
  uint8_t releases_late;         // it releases imports on another thread, a moment after everything was dropped
  uint8_t takes_device;          // a plain tensor in the memory of a CUDA device is imported
  uint8_t refuses_host;          // a plain tensor in host memory is refused, and one on a CUDA device is imported
  uint8_t looks_for_tables;      // of the exchange API, on what it imports
  uint8_t takes_alignment_log2;  // the least alignment that is not refused
  uint8_t import_kills;          // the simplest import crashed: nothing further could be probed
  uint32_t takes_ranks;          // bit per number of dimensions that was not refused
  uint32_t takes_layouts;        // bit per Layout that was not refused
  uint64_t takes_dtypes;         // bit per DataTypes()
  uint64_t narrows_dtypes;       // taken, and given a type of fewer bits

  // As a producer.
  uint8_t makes_legacy;       // __dlpack__() gives a legacy capsule
  uint8_t makes_versioned;    // __dlpack__(max_version=(1, 3)) gives a versioned capsule
  uint8_t takes_keywords;     // __dlpack__ of the library's arrays takes max_version
  uint8_t made_rank;          // of the plain array that can be made and exported
  uint8_t made_dtype;         // of it
  uint8_t made_read_only;     // plain arrays can be made read-only alone
  abi::DLDevice made_device;  // of it, as the library describes it; type 0: unknown
  uint8_t makes_empty;
  uint8_t makes_offset;          // arrays that begin after the first element of their memory
  uint8_t makes_deepest;         // as takes_deepest
  uint8_t makes_read_only;       // on request
  uint8_t makes_alignment_log2;  // the least of the data that whole arrays of many sizes were exported with
  uint8_t export_kills;          // the simplest export crashed: nothing further could be probed
  uint32_t makes_ranks;
  uint32_t makes_layouts;
  uint64_t makes_dtypes;

  uint8_t is_pair;  // what is imported is another library's array

  ChoicesSeen choices;

  Refusal legacy_refusal;  // the exception, where takes_legacy is 0
  Refusal versioned_refusal;

  // The extents and strides of tensors, where a rank is refused only with others.
  uint64_t takes_last_extents;  // bit per extent of the last dimension that was not refused; 0: any
  uint64_t makes_last_extents;  // the same of arrays
  uint32_t null_ranks;          // of takes_ranks, those that are only taken with NULL strides
  UnitExtents unit_extents;     // how tensors with an extent of 1 are taken

  bool Claims(Claim claim) const { return ((claims >> static_cast<uint32_t>(claim)) & 1u) != 0; }
  /// Whether the library's arrays lie on a device other than the CPU.
  bool MakesElsewhere() const { return IsElsewhere(made_device); }
  bool Says(Trait trait) const { return ((declared.traits >> static_cast<uint32_t>(trait)) & 1u) != 0; }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_PROFILE_H_
