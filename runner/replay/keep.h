// runner/replay/keep.h: copies findings to a folder that is kept under version control.
#ifndef DLPACK_CTS_RUNNER_REPLAY_KEEP_H_
#define DLPACK_CTS_RUNNER_REPLAY_KEEP_H_

#include <string>

#include "runner/replay/replay_file.h"
#include "runner/replay/replayer.h"

namespace dlpack_cts::runner {

/// Writes FOLDER/LIBRARY/CAUSE.json: the exchange and what it shows, without anything about this machine. A file of the
/// same cause stays as it is. Returns a line that says what was done. Throws Failure.
std::string KeepFinding(const ReplayFile& file, const ReplayedExchange& replayed, const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_REPLAY_KEEP_H_
