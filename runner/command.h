// runner/command.h: runs another program and waits for it.
#ifndef DLPACK_CTS_RUNNER_COMMAND_H_
#define DLPACK_CTS_RUNNER_COMMAND_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

struct Finished {
  int status = 0;      // exit status, or 128 + signal
  std::string output;  // standard output, and standard error too where asked for
};

/// Runs argv[0] (found on PATH) with these arguments. `errors` joins standard error to the output; else it is
/// discarded.
Finished RunCommand(const std::vector<std::string>& argv, bool errors = false);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_COMMAND_H_
