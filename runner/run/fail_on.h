// runner/run/fail_on.h: --fail-on: which verdicts make a run fail.
#ifndef DLPACK_CTS_RUNNER_RUN_FAIL_ON_H_
#define DLPACK_CTS_RUNNER_RUN_FAIL_ON_H_

#include <string>

#include "results/result.h"

namespace dlpack_cts::runner {

/// `least` is "fail", "warn" (nothing changes), "note" or "never". Results and causes that are less severe are as
/// expected, with that reason. With "note", a NOTE that the expectations do not list is unexpected. With "never",
/// entries of the expectations that no longer occur do not count either.
void ApplyFailOn(const std::string& least, Run& run);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_FAIL_ON_H_
