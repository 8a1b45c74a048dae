// runner/run/last_failed.cc: reads which cases of a stored run failed.
#include "runner/run/last_failed.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/failure.h"
#include "results/tally.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {

std::vector<std::string> FailedCases(const Run& run) {
  std::set<std::string> failed;
  for (const Result& result : run.results) {
    if (!result.as_expected) failed.insert(result.seen.case_id);
  }
  for (const Cause& cause : run.causes) {
    if (IsUnexpectedAlone(run, cause)) failed.insert(cause.cases.begin(), cause.cases.end());
  }
  return {failed.begin(), failed.end()};
}

std::vector<std::string> LastFailed(const std::string& path, const std::vector<std::string>& cases) {
  std::set<std::string> failed;
  for (const StoredRun& stored : StoredRuns(path)) {
    const std::vector<std::string> ids = FailedCases(stored.run);
    failed.insert(ids.begin(), ids.end());
  }
  std::vector<std::string> again;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(again),
               [&](const std::string& id) { return failed.contains(id); });
  if (again.empty()) {
    throw Failure("--last-failed " + path + ": none of the selected cases failed in that run",
                  "run without --last-failed, or change --select");
  }
  return again;
}

}  // namespace dlpack_cts::runner
