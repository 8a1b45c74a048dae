// runner/base/command.h: runs another program and waits for it.
#ifndef DLPACK_CTS_RUNNER_BASE_COMMAND_H_
#define DLPACK_CTS_RUNNER_BASE_COMMAND_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

struct Finished {
  int status = 0;      // exit status, or 128 + signal
  std::string output;  // standard output (and standard error if `errors`), or what it answered
  bool late = false;
};

struct CommandOptions {
  bool errors = false;  // adds standard error to the output; otherwise it is discarded
  /// An interrupt kills it, and the call throws Failure (status 130). If this process is killed, a guard ends it with
  /// all that it has started. Otherwise the call waits for its end.
  bool interruptible = false;
  int inherited = -1;    // a descriptor that the program inherits (a lock), or -1
  bool answers = false;  // the output is what it writes to kAnswers; standard output and standard error are discarded
  double seconds = 0;    // it is killed after so long, and Finished::late is true; 0: no limit
  size_t most = size_t{64} << 20;  // bytes of output that are kept; a program with a time limit may not print more
};

/// The descriptor for answers. The loader, or a library that it preloads, may print anything on the standard ones.
inline constexpr int kAnswers = 3;

/// Runs argv[0] (found on PATH) with these arguments, in a process group of its own, so that Ctrl-C reaches only the
/// driver.
Finished RunCommand(const std::vector<std::string>& argv, const CommandOptions& options = {});

/// What dlpack-cts-worker answers to a question (docs/processes.md).
Finished AskWorker(std::vector<std::string> question);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_COMMAND_H_
