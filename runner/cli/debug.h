// runner/cli/debug.h: runs the exchange of a finding under a debugger.
#ifndef DLPACK_CTS_RUNNER_CLI_DEBUG_H_
#define DLPACK_CTS_RUNNER_CLI_DEBUG_H_

#include "runner/environment/library.h"
#include "runner/replay/replay_file.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// Starts the worker under options.debugger, with the terminal of this process, and returns the exit status of the
/// debugger. The worker imports the library and runs the exchange once, without a fork.
int Debug(const ReplayFile& file, const Library& library, const Options& options);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_DEBUG_H_
