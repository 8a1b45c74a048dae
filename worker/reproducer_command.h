// worker/reproducer_command.h: --reproducer FINDING.json, which needs no library.
#ifndef DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_
#define DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_

#include <string>

namespace dlpack_cts::worker {

/// Prints the script that shows the finding again; prints nothing where no script can. Returns the exit status: 2 with
/// a line on standard error when the file is no finding.
int PrintReproducer(const std::string& finding_path);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_REPRODUCER_COMMAND_H_
