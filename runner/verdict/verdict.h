// runner/verdict/verdict.h: the one place that makes verdicts: of an observation, of a finding, of a cause and of a
// case.
#ifndef DLPACK_CTS_RUNNER_VERDICT_VERDICT_H_
#define DLPACK_CTS_RUNNER_VERDICT_VERDICT_H_

#include "results/result.h"
#include "runner/catalogue/rules.h"

namespace dlpack_cts::runner {

/// CRASH, TIMEOUT, LEAK, UNSAFE and FAIL weigh 3, WARN 2, NOTE 1, all else 0.
int WeightOf(Verdict verdict);

/// Of an observation alone. The `breach` of the rule is the upper bound. The degree of the observation may lower it. A
/// rule of the array API alone is one level lower for a library that does not claim the array API. Crash, timeout, leak
/// and unsafe are verdicts themselves. Throws Failure (status 3) for an invalid observation: an unknown rule, or no
/// judgement.
Verdict VerdictOf(const Observation& observation, const Rules& rules, bool claims_array_api);

/// Of a minimised example. A difference from the reference is a NOTE, unless the check of the same case reported the
/// same rule (`checked`). The rule that the check named is a second upper bound.
Verdict VerdictOf(const Finding& finding, bool checked, const Rules& rules, bool claims_array_api);

/// What decides the verdict of a case when all causes are known.
enum class Ground : uint8_t {
  /// Its own observation.
  kObservation,
  /// A case reports the same crash or timeout as this sweep: NOTE.
  kSameEnd,
  /// It reports a cause: the verdict of the cause, which may be graver or lighter than its own observation.
  kCause,
  /// It failed because of a cause that another case reports, so it could not find out anything else: BLOCKED.
  kBlocked,
  /// The library ends the process without any exchange, so the case could not run: BLOCKED. A sweep runs many
  /// exchanges, so it is a NOTE.
  kNoExchange,
};

/// Of a case, from its own observation (or what it reported before) and the cause.
Verdict VerdictOf(Ground ground, bool sweep, Verdict observed, Verdict cause);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_VERDICT_H_
