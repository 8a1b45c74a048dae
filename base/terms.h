// base/terms.h: the terms of a finding that the harness, the worker and the runner share, with their words.
#ifndef DLPACK_CTS_BASE_TERMS_H_
#define DLPACK_CTS_BASE_TERMS_H_

#include <cstdint>

#include "base/enum_words.h"

namespace dlpack_cts {

/// The role that the library has in a finding.
enum class Side : uint8_t { kImport, kExport };
consteval EnumWords<Side> WordsOf(Side) { return {"import", "export"}; }

/// The role of a library that a case tests.
enum class Role : uint8_t { kConsumer, kProducer, kExchange };
consteval EnumWords<Role> WordsOf(Role) { return {"consumer", "producer", "exchange"}; }

/// How much a violation counts. The `breach` of the rule is the upper bound: a rule that counts as WARN never FAILs.
enum class Degree : uint8_t { kRule, kWarn, kNote };
consteval EnumWords<Degree> WordsOf(Degree) { return {"rule", "warn", "note"}; }

/// Families of deviation, in causal order. A ledger has no facts for a hang or a crash.
enum class Family : uint8_t {
  kAsks,
  kTable,
  kDeviceAnswer,
  kOutcome,
  kException,
  kHang,
  kMemoryInCall,
  kCapsule,
  kVersion,
  kFlags,
  kStructDevice,
  kDtype,
  kShape,
  kStrides,
  kPlace,
  kWrites,
  kRelease,
  kChoice,    // has no fact: an observed choice of the library that differs from its earlier ones
  kReported,  // texts of the library, which are shown and never compared
};
consteval EnumWords<Family> WordsOf(Family) {
  return {"asks",    "table",   "device answer", "outcome",       "exception", "hang",  "memory in a call",
          "capsule", "version", "flags",         "struct device", "dtype",     "shape", "strides",
          "place",   "writes",  "release",       "way",           "reported"};
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_TERMS_H_
