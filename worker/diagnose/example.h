// worker/diagnose/example.h: the result of one example of a case.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "harness/case/case.h"

namespace dlpack_cts::worker {

/// The result of one example. A more severe result has a smaller number.
enum class Showed : uint8_t {
  kEnded,     // an exception that ends programs (SystemExit): counts as a crash
  kUnsafe,    // a fault in memory that must not be accessed
  kLeak,      // the tensor was not released
  kBreach,    // the judge named a violated rule
  kUnjudged,  // the case did not judge: a bug in the harness
  kRefused,   // refused with an exception: inconclusive
  kNothing,   // the example was not conclusive
  kHeld,
};

struct Example {
  Showed showed = Showed::kHeld;
  Breach breach;                         // filled if a rule is violated
  std::string said;                      // the text of the refusal, or why the example was not conclusive
  std::optional<Breach> deviation = {};  // the first fact that differs from the reference
  bool stumbled = false;                 // the violation is an exception that looks like a bug
  bool refused = false;                  // the library refused the exchange

  /// Whether it counts with the full degree of the rule, and not only as a WARN or NOTE.
  bool Grave() const {
    return showed <= Showed::kLeak || showed == Showed::kUnjudged ||
           (showed == Showed::kBreach && breach.degree == Degree::kRule);
  }
  bool Broken() const { return showed <= Showed::kUnjudged; }
  /// A violation outweighs a WARN, and a WARN outweighs a NOTE, in whatever order the examples come.
  int Weight() const { return !Broken() ? 0 : Grave() ? 3 : breach.degree == Degree::kWarn ? 2 : 1; }
  /// Whether two examples show the same defect (for refusals: with the same text), so that one may be minimised to the
  /// other.
  bool SameAs(const Example& other) const {
    return showed == other.showed && breach.rule == other.breach.rule && breach.message == other.breach.message &&
           said == other.said;
  }
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_H_
