// worker/reproducer_command.h: --reproducers FINDING.json..., which needs no library.
#ifndef DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_
#define DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_

#include <string>
#include <vector>

namespace dlpack_cts::worker {

/// A JSON array: for each finding its reproducer, or an empty string if no script can show it. If a file is not
/// a finding, its entry is empty too, and a line on standard error says why.
std::string Reproducers(const std::vector<std::string>& finding_paths);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_
