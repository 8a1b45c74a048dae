// runner/run/fail_on.h: --fail-on and --strict: what makes a run fail.
#ifndef DLPACK_CTS_RUNNER_RUN_FAIL_ON_H_
#define DLPACK_CTS_RUNNER_RUN_FAIL_ON_H_

#include <string>

#include "results/result.h"

namespace dlpack_cts::runner {

/// Marks as expected every cause that no selected case reports: it is shown, but does not fail the run.
void LeaveOtherCauses(Run& run);
/// Whether it was marked so.
bool IsLeftOut(const Cause& cause);

/// `least` is "fail", "warn" (nothing changes), "note" or "never". Results and causes that are less severe are as
/// expected, with that reason. With "note", a NOTE that the expectations do not list is unexpected. With "never",
/// entries of the expectations that no longer occur do not count either. Without `strict`, what only invalid input
/// shows is as expected too: a library that crashes on it breaks no rule.
void ApplyFailOn(const std::string& least, bool strict, Run& run);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_FAIL_ON_H_
