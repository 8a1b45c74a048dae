// runner/attribution.h: which results another one speaks for.
#ifndef DLPACK_CTS_RUNNER_ATTRIBUTION_H_
#define DLPACK_CTS_RUNNER_ATTRIBUTION_H_

#include <cstdint>
#include <vector>

#include "results/result.h"
#include "runner/catalogue.h"

namespace dlpack_cts::runner {

/// A sweep meets what kills in exchanges of every kind. Where a case of the run says of the same death what it is
/// about, the sweep names that case in a NOTE, and accuses nobody a second time.
void LeaveDeathsToTheirCases(const std::vector<CaseInfo>& cases, std::vector<Result>& results);

/// Names in each result the worst cause that it stands behind. A deviation whose cause breaks none of its case's rules
/// accuses the case of nothing: it becomes BLOCKED by that cause. Marks the causes that are expected: NOTEs, and those
/// of which every deviation is listed.
void Attribute(std::vector<Cause>& causes, std::vector<Result>& results);

/// Deviations that nobody expects: results, and causes that no such result names.
int64_t CountUnexpected(const std::vector<Cause>& causes, const std::vector<Result>& results);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ATTRIBUTION_H_
