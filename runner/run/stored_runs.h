// runner/run/stored_runs.h: the runs in a result file, or in a folder that `run --out` wrote.
#ifndef DLPACK_CTS_RUNNER_RUN_STORED_RUNS_H_
#define DLPACK_CTS_RUNNER_RUN_STORED_RUNS_H_

#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts::runner {

struct StoredRun {
  std::string name;  // of its folder, if the folder has several runs; else of the library
  std::string path;  // of its file
  Run run;
  bool compact = false;                  // without evidence (results/compact.h): not every report can be written
  std::vector<std::string> shards = {};  // the files of the shards that it was merged from
};

/// A file has one run; it may be compact. A folder has the run of its results.ndjson, or, of several libraries or
/// pairs, those of its subfolders, by name. Throws a Failure for a path without a run, and for a file whose footer does
/// not match its lines.
std::vector<StoredRun> StoredRuns(const std::string& path);

/// The run of that name, or, with `only`, the only one; nullptr if it is missing.
const StoredRun* OtherOf(const std::vector<StoredRun>& runs, const StoredRun& one, bool only);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_STORED_RUNS_H_
