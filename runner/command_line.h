// runner/command_line.h: the commands and options of dlpack-cts, as CLI11 is told of them.
#ifndef DLPACK_CTS_RUNNER_COMMAND_LINE_H_
#define DLPACK_CTS_RUNNER_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <functional>

#include "runner/options.h"

namespace dlpack_cts::runner {

/// What a command line asks for.
struct CommandLine {
  Options options;
  std::function<int(Options&)> handler;  // of the command that was named
};

/// Tells `app` of every command and option; parsing fills `line`, which has to outlive it.
void Declare(CLI::App& app, CommandLine& line);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_COMMAND_LINE_H_
