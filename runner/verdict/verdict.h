// runner/verdict/verdict.h: makes every verdict: of an observation, of a finding, of a cause and of a case.
#ifndef DLPACK_CTS_RUNNER_VERDICT_VERDICT_H_
#define DLPACK_CTS_RUNNER_VERDICT_VERDICT_H_

#include "results/result.h"
#include "runner/catalogue/rules.h"

namespace dlpack_cts::runner {

/// CRASH, TIMEOUT, LEAK, UNSAFE and FAIL have weight 3, WARN 2, NOTE 1, all others 0.
int WeightOf(Verdict verdict);

/// The verdict of an observation alone. The `breach` of the rule is the upper bound, and the degree of the observation
/// may lower it. A rule that only the array API requires is one level lower for a library that does not claim the array
/// API, unless memory or values are at stake (a lower degree says that they are not). Crash, timeout, leak and unsafe
/// access are verdicts themselves. Throws Failure (status 3) for an invalid observation: an unknown rule, or one
/// without a judgement.
Verdict VerdictOf(const Observation& observation, const Rules& rules, bool claims_array_api);

/// The verdict of a minimised example. A difference from the reference is a NOTE, unless the check of the same case
/// reported the same rule (`checked`). The rule that the check named is a second upper bound.
Verdict VerdictOf(const Finding& finding, bool checked, const Rules& rules, bool claims_array_api);

/// What decides the verdict of a case when all causes are known.
enum class Ground : uint8_t {
  /// Its own observation.
  kObservation,
  /// A case reports the same crash or timeout as this sweep: NOTE.
  kSameEnd,
  /// It reports a cause: the verdict of the cause, which may be more or less severe than its own observation.
  kCause,
  /// It failed because of a cause that another case reports, so it could not find out anything else: BLOCKED.
  kBlocked,
  /// The library ends the process without any exchange, so the case could not run: BLOCKED. A sweep runs many
  /// exchanges, so it is a NOTE.
  kNoExchange,
};

/// The verdict of a case, from its own observation (or what it reported before) and the cause.
Verdict VerdictOf(Ground ground, bool sweep, Verdict observed, Verdict cause);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_VERDICT_H_
