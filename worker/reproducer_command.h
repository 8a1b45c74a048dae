// worker/reproducer_command.h: --reproducer FINDING.json, which needs no library.
#ifndef DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_
#define DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_

#include <string>
#include <vector>

namespace dlpack_cts::worker {

/// Prints a JSON array: for each finding the script that shows it again, or an empty string where no script can, or
/// where the file is no finding, which a line on standard error says.
void PrintReproducers(const std::vector<std::string>& finding_paths);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_
