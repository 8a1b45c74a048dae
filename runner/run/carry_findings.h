// runner/run/carry_findings.h: takes the scripts and examples of stored runs along to the folder of a report.
#ifndef DLPACK_CTS_RUNNER_RUN_CARRY_FINDINGS_H_
#define DLPACK_CTS_RUNNER_RUN_CARRY_FINDINGS_H_

#include <string>

#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {

/// Copies the files that reproduce the failures of the run from the folders of its result files (of shards: several) to
/// `out`, and lets reproducers and replay commands name the copies. If `out` is "", nothing is copied, and reproducers
/// name the files where they are. A reproducer whose file is missing is left out, and its replay command stays. Throws
/// Failure if a file cannot be written.
void CarryFindings(StoredRun& stored, const std::string& out);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_CARRY_FINDINGS_H_
