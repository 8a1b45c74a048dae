// runner/run/publish.h: writes the output of a run.
#ifndef DLPACK_CTS_RUNNER_RUN_PUBLISH_H_
#define DLPACK_CTS_RUNNER_RUN_PUBLISH_H_

#include <string>

#include "reports/reports.h"
#include "results/pairs.h"
#include "runner/run/assemble.h"

namespace dlpack_cts::runner {

/// Makes --out absolute, and checks before anything runs that the results can be written. Throws Failure.
void PrepareOut(std::string& out);

/// The data of rules that reports show.
ReportContext ContextOf(const Catalogue& catalogue);

/// Instead of an exit status: every case is SKIP or BLOCKED. It is less than all exit statuses.
inline constexpr int kNothingJudged = -1;

/// Writes reports and reproducers to --out, prints the output that --format selects, then the errors. Returns the exit
/// status, or kNothingJudged instead of kAsExpected.
int Publish(const Catalogue& catalogue, const Assignment& assignment, Assembled& assembled);

/// Writes the set to its file in the folder. Nothing if the folder is "". Returns the exit status: a failure is
/// printed.
int WritePairs(const Pairs& pairs, const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_PUBLISH_H_
