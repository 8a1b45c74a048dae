// results/verdict.h: the ten verdicts, the observations that they depend on, and the levels of rules.
#ifndef DLPACK_CTS_RESULTS_VERDICT_H_
#define DLPACK_CTS_RESULTS_VERDICT_H_

#include <cstdint>

#include "base/enum_words.h"

namespace dlpack_cts {

enum class Verdict : uint8_t { kPass, kFail, kWarn, kNote, kCrash, kTimeout, kLeak, kUnsafe, kSkip, kBlocked };
consteval EnumWords<Verdict> WordsOf(Verdict) {
  return {"PASS", "FAIL", "WARN", "NOTE", "CRASH", "TIMEOUT", "LEAK", "UNSAFE", "SKIP", "BLOCKED"};
}

/// What the worker observed of a case or of one example. The verdict also depends on the rule and the library's claims.
enum class Observed : uint8_t {
  kHeld,
  kBreach,
  kLeak,
  kUnsafe,
  kCrash,
  kTimeout,
  kMemory,  // the process exceeded its memory limit
  kSkip,
  kBlocked,
  kUnjudged,  // a bug of the harness
  kOwn,       // for an example only: a crash or timeout that also occurs without any exchange
};
consteval EnumWords<Observed> WordsOf(Observed) {
  return {"held", "breach", "leak", "unsafe", "crash", "timeout", "memory", "skip", "blocked", "unjudged", "own"};
}

/// How strong a rule is.
enum class Level : uint8_t { kMust, kShould, kMay, kImplied };
consteval EnumWords<Level> WordsOf(Level) { return {"MUST", "SHOULD", "MAY", "IMPLIED"}; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_VERDICT_H_
