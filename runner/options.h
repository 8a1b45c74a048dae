// runner/options.h: what the command line says.
#ifndef DLPACK_CTS_RUNNER_OPTIONS_H_
#define DLPACK_CTS_RUNNER_OPTIONS_H_

#include <string>
#include <vector>

#include "runner/session.h"

namespace dlpack_cts::runner {

struct Options {
  std::vector<std::string> libraries;
  std::vector<std::string> adapters;
  RunOptions run;
  std::string level = "all";
  int jobs = 1;
  std::string expectations;
  std::string out;
  std::string format = "tree";
  bool json = false;
  std::string what;  // list: rules, cases, libraries, mutants; explain: an id; replay: a file; env: a verb
  std::vector<std::string> files;
  std::vector<std::string> mutants;  // globs; empty for all
  std::string fuzz_target;
  int fuzz_seconds = 30;
  std::string fuzz_tier;  // legal, edge (default), hostile
  std::string command;    // the whole command line, for the header
};

/// One function per subcommand; each returns an exit status.
int RunCommandLine(Options& options);  // run
int InteropCommand(Options& options);
int ListCommand(const Options& options);
int ExplainCommand(const Options& options);
int MutantsCommand(const Options& options);
int ReplayCommand(Options& options);
int FuzzCommand(const Options& options);
/// replay of an input that `fuzz` kept; does not return, or throws Failure.
int ReplayInput(Options& options);
/// True for such an input, by its name or by its first bytes.
bool IsKeptInput(const std::string& file);
int ReportCommand(const Options& options);
int EnvCommand(const Options& options);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_OPTIONS_H_
