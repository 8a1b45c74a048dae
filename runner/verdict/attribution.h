// runner/verdict/attribution.h: decides which results report a cause, and which are blocked by it.
#ifndef DLPACK_CTS_RUNNER_VERDICT_ATTRIBUTION_H_
#define DLPACK_CTS_RUNNER_VERDICT_ATTRIBUTION_H_

#include <vector>

#include "results/result.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// Sets in each result the worst cause that explains it. The results whose cases test the rule of a cause report it,
/// even if their own check passed; else the first deviation, or the sweep, does. Every other deviation that the cause
/// explains becomes BLOCKED. A sweep also runs inputs that crash the process: if a case reports the same crash, the
/// sweep becomes a NOTE that names this case. Marks the expected causes: those that are listed, NOTEs, and those whose
/// deviations are all listed.
void Attribute(const Catalogue& catalogue, std::vector<Cause>& causes, std::vector<Result>& results);

/// Only decides which of the results that name the same cause report it. The others become BLOCKED.
void Distribute(const Catalogue& catalogue, std::vector<Cause>& causes, std::vector<Result>& results);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_ATTRIBUTION_H_
