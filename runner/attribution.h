// runner/attribution.h: which results another one speaks for.
#ifndef DLPACK_CTS_RUNNER_ATTRIBUTION_H_
#define DLPACK_CTS_RUNNER_ATTRIBUTION_H_

#include <vector>

#include "results/result.h"
#include "runner/catalogue.h"

namespace dlpack_cts::runner {

/// A sweep meets what kills in exchanges of every kind. Where a case of the run says of the same death what it is
/// about, the sweep names that case in a NOTE, and accuses nobody a second time.
void LeaveDeathsToTheirCases(const std::vector<CaseInfo>& cases, std::vector<Result>& results);

/// Names in each result the worst cause that it stands behind. The rule of a cause is accused by the results whose
/// cases look at it, also by those whose own judge let it pass; where none does, by the first that deviates, or by the
/// sweep. Every other deviation is BLOCKED by its cause, and accuses nobody. Marks the causes that are expected: listed
/// ones, NOTEs, and those of which every deviation is listed.
void Attribute(const std::vector<CaseInfo>& cases, std::vector<Cause>& causes, std::vector<Result>& results);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ATTRIBUTION_H_
