// runner/run/last_failed.h: --last-failed: the cases that failed in an earlier run.
#ifndef DLPACK_CTS_RUNNER_RUN_LAST_FAILED_H_
#define DLPACK_CTS_RUNNER_RUN_LAST_FAILED_H_

#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts::runner {

/// The ids of the cases with an unexpected result, and of those that show an unexpected cause; sorted, each once.
std::vector<std::string> FailedCases(const Run& run);

/// The cases that failed in the runs of this file or folder, of those given. Throws a Failure for a path without a run,
/// and if none of the cases failed there.
std::vector<std::string> LastFailed(const std::string& path, const std::vector<std::string>& cases);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_LAST_FAILED_H_
