// runner/verdict/causes.h: groups all findings of a run by the defect that a maintainer has to fix.
#ifndef DLPACK_CTS_RUNNER_VERDICT_CAUSES_H_
#define DLPACK_CTS_RUNNER_VERDICT_CAUSES_H_

#include <vector>

#include "results/cause.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// A cause is a set of triggers with the side and the family of the first violated fact. A finding that another finding
/// masks (runner/verdict/masking.h) belongs to that one's cause. The worst cause comes first. The order of the findings
/// has no influence.
std::vector<Cause> CausesOf(const Catalogue& catalogue, bool claims_array_api, const std::vector<Finding>& findings);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_CAUSES_H_
