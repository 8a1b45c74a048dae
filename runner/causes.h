// runner/causes.h: groups all findings of a run by what has to be mended: the last step, whatever order they came in.
#ifndef DLPACK_CTS_RUNNER_CAUSES_H_
#define DLPACK_CTS_RUNNER_CAUSES_H_

#include <string>
#include <vector>

#include "results/cause.h"
#include "runner/catalogue.h"
#include "runner/rules.h"

namespace dlpack_cts::runner {

/// A cause is a set of peculiarities with the family of the first fact that is wrong. A finding stands behind another
/// one of its side and family that needs less and is as grave: a superset, where the two do not merely end their calls
/// otherwise; where a library is fed with its own arrays, behind one of either side. Nothing stands behind what only
/// hostile offers show. Worst first; equal findings in any order give equal causes.
std::vector<Cause> CausesOf(const std::vector<CaseInfo>& cases, const Rules& rules, bool array_api,
                            const std::vector<Finding>& findings);

/// CRASH, TIMEOUT, LEAK, UNSAFE and FAIL weigh 3, WARN 2, NOTE 1, all else 0.
int WeightOf(Verdict verdict);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAUSES_H_
