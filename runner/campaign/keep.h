// runner/campaign/keep.h: copies findings to a folder that is kept under version control.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_KEEP_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_KEEP_H_

#include <string>

#include "results/result.h"
#include "runner/run/replay_file.h"

namespace dlpack_cts::runner {

/// What the exchange of a finding did when it ran again.
struct ReplayedExchange {
  std::string version;   // of the library
  std::string sentence;  // what is wrong
  Result result;         // of its case
};

/// Writes FOLDER/LIBRARY/CAUSE.json: the exchange and what it shows, without anything about this machine. A file of the
/// same cause stays as it is. Returns a line that says what was done. Throws Failure.
std::string KeepFinding(const ReplayFile& file, const ReplayedExchange& replayed, const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_KEEP_H_
