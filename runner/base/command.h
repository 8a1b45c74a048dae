// runner/base/command.h: runs another program and waits for it.
#ifndef DLPACK_CTS_RUNNER_BASE_COMMAND_H_
#define DLPACK_CTS_RUNNER_BASE_COMMAND_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

struct Finished {
  int status = 0;      // exit status, or 128 + signal
  std::string output;  // standard output, and standard error too where asked for; at most 64 MB of it
};

struct CommandOptions {
  bool errors = false;         // joins standard error to the output; else it is discarded
  bool interruptible = false;  // an interrupt kills it and throws Failure (status 130); else it is seen through
  int inherited = -1;          // a descriptor that it keeps open (a lock), or -1
};

/// Runs argv[0] (found on PATH) with these arguments, in a process group of its own: Ctrl-C is the driver's to handle.
Finished RunCommand(const std::vector<std::string>& argv, const CommandOptions& options = {});

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_COMMAND_H_
