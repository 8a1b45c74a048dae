// runner/verdict.h: the one function that makes a verdict of an observation.
#ifndef DLPACK_CTS_RUNNER_VERDICT_H_
#define DLPACK_CTS_RUNNER_VERDICT_H_

#include "results/result.h"
#include "runner/rules.h"

namespace dlpack_cts::runner {

/// The rule's breach is the upper bound; the observation's degree may lower it, and so does a rule of the array API
/// alone for a library that does not claim the array API. Crash, timeout, leak and unsafe stand for themselves. Throws
/// Failure (status 3) for an observation that no case may make: an unknown rule, or one that nobody judged.
Verdict VerdictOf(const Observation& observation, const Rules& rules, bool claims_array_api);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_H_
