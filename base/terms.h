// base/terms.h: the terms of a finding that the harness, the worker and the runner share, each with its one word.
#ifndef DLPACK_CTS_BASE_TERMS_H_
#define DLPACK_CTS_BASE_TERMS_H_

#include <cstdint>

#include "base/enum_words.h"

namespace dlpack_cts {

/// Which of its two roles the library plays in a finding.
enum class Side : uint8_t { kImport, kExport };
consteval EnumWords<Side> WordsOf(Side) { return {"import", "export"}; }

/// Which role of a library a case tests.
enum class Role : uint8_t { kConsumer, kProducer, kExchange };
consteval EnumWords<Role> WordsOf(Role) { return {"consumer", "producer", "exchange"}; }

/// How much a violation counts. The rule's own `breach` is the upper bound: a rule that counts as WARN never FAILs.
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
  kWay,   // of no fact: an observed choice of the library that differs from its earlier ones
  kTold,  // texts of the library: shown, never compared
};
consteval EnumWords<Family> WordsOf(Family) {
  return {"asks",    "table",   "device answer", "outcome",       "exception", "hang",  "memory in a call",
          "capsule", "version", "flags",         "struct device", "dtype",     "shape", "strides",
          "place",   "writes",  "release",       "way",           "reported"};
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_TERMS_H_
