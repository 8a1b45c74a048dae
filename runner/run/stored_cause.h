// runner/run/stored_cause.h: finds a cause of a stored run by its id, or by a part of it.
#ifndef DLPACK_CTS_RUNNER_RUN_STORED_CAUSE_H_
#define DLPACK_CTS_RUNNER_RUN_STORED_CAUSE_H_

#include <string>
#include <vector>

#include "results/result.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {

struct StoredCause {
  const StoredRun* stored;
  const Cause* cause;
};

/// The cause with that id in each run that has it. The id may be shortened as long as it is unique: "no-memory" for
/// import/outcome/no-memory. Upper and lower case are the same. Throws Failure if no cause matches, or if several do.
std::vector<StoredCause> CausesCalled(const std::vector<StoredRun>& runs, const std::string& id);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_STORED_CAUSE_H_
