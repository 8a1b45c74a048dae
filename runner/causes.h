// runner/causes.h: groups all findings of a run by the defect that a maintainer has to fix.
#ifndef DLPACK_CTS_RUNNER_CAUSES_H_
#define DLPACK_CTS_RUNNER_CAUSES_H_

#include <string>
#include <vector>

#include "results/cause.h"
#include "runner/catalogue.h"
#include "runner/rules.h"

namespace dlpack_cts::runner {

/// A cause is a set of triggers with the family of the first violated fact. A finding is explained by another one of
/// the same side and family if that one needs a subset of its triggers and is at least as severe; answers and outcomes
/// must also violate the same fact. If a library imports its own arrays, the other one may be of either side. A finding
/// that only invalid input shows explains no other. The worst cause comes first; the order of the findings has no
/// influence.
std::vector<Cause> CausesOf(const std::vector<CaseInfo>& cases, const Rules& rules, bool array_api,
                            const std::vector<Finding>& findings);

/// CRASH, TIMEOUT, LEAK, UNSAFE and FAIL weigh 3, WARN 2, NOTE 1, all else 0.
int WeightOf(Verdict verdict);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAUSES_H_
