// runner/cli/command_line.h: declares the commands and options of dlpack-cts for CLI11.
#ifndef DLPACK_CTS_RUNNER_CLI_COMMAND_LINE_H_
#define DLPACK_CTS_RUNNER_CLI_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// The command and options of a command line.
struct CommandLine {
  Options options;
  std::function<int(Options&)> handler;  // of the given command
};

/// Declares every command and option in `app`. Parsing fills `line`, which must outlive `app`.
void Declare(CLI::App& app, CommandLine& line);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_COMMAND_LINE_H_
