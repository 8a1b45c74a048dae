// runner/verdict.h: the one function that makes a verdict of an observation.
#ifndef DLPACK_CTS_RUNNER_VERDICT_H_
#define DLPACK_CTS_RUNNER_VERDICT_H_

#include "results/result.h"
#include "runner/rules.h"

namespace dlpack_cts::runner {

/// The `breach` of the rule is the upper bound. The degree of the observation may lower it. A rule of the array API
/// alone is one level lower for a library that does not claim the array API. Crash, timeout, leak and unsafe are
/// verdicts themselves. Throws Failure (status 3) for an invalid observation: an unknown rule, or no judgement.
Verdict VerdictOf(const Observation& observation, const Rules& rules, bool claims_array_api);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_H_
