// runner/run/shard_files.h: finds the shards of each run among stored results.
#ifndef DLPACK_CTS_RUNNER_RUN_SHARD_FILES_H_
#define DLPACK_CTS_RUNNER_RUN_SHARD_FILES_H_

#include <vector>

#include "base/failure.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {

struct WholeRuns {
  std::vector<StoredRun> runs;
  std::vector<Failure> wrong;  // one for each run of which shards are missing, doubled or not finished
};

/// Merges the shards of each run into one run. A pair of `interop` is always whole; of those, all pairs must be there.
/// Other runs stay as they are.
WholeRuns WithMergedShards(const Catalogue& catalogue, const std::vector<StoredRun>& stored);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_SHARD_FILES_H_
