// runner/cli/debug.cc: runs the exchange of a finding under a debugger.
#include "runner/cli/debug.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/failure.h"
#include "base/text.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/run/assignment.h"
#include "runner/session/work_folder.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kNotStarted = 127;

/// In the child, which keeps the terminal. A debugger needs SIGINT as the shell gave it.
[[noreturn]] void Become(const std::vector<std::string>& arguments,
                         const std::map<std::string, std::string>& variables) {
  std::signal(SIGINT, SIG_DFL);
  for (const auto& [key, value] : variables) setenv(key.c_str(), value.c_str(), 1);
  execvp(arguments.front().c_str(), Pointers(arguments).data());
  _exit(kNotStarted);
}

}  // namespace

int Debug(const ReplayFile& file, const Library& library, const Options& options) {
  Assignment assignment = PrepareOne(library, options);
  SetReplay(file, assignment.job);
  const WorkFolder folder;
  assignment.job.cases = {file.case_id};
  assignment.job.board = folder.path() + "/board";
  const std::string job = folder.path() + "/job.json";
  std::ofstream written(job);
  written << ToJson(assignment.job).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!written.flush()) throw Failure("the job file " + job + " cannot be written", "free some space, or set TMPDIR");
  std::vector<std::string> arguments;
  for (const std::string_view word : Split(options.debugger, " ")) {
    if (!word.empty()) arguments.emplace_back(word);
  }
  if (arguments.empty()) throw Failure("--debugger names no command", "for example: --debugger 'gdb --args'");
  arguments.insert(arguments.end(), {Sibling("dlpack-cts-worker"), "--once", job});
  Tell("dlpack-cts: " + Joined(arguments, " ") + "\n");
  const auto variables = WorkerVariables(library, assignment.environment.python, options.run.keep_environment);
  // The debugger decides what Ctrl-C means.
  std::signal(SIGINT, SIG_IGN);
  const pid_t child = fork();
  if (child < 0)
    throw Failure(std::string("a process cannot be started: ") + std::strerror(errno), "end other processes");
  if (child == 0) Become(arguments, variables);
  const ChildEnd end = WaitFor(child);
  if (end == ChildEnd{ChildEnd::How::kExited, kNotStarted}) {
    throw Failure("the debugger " + arguments.front() + " cannot be started",
                  "install it, or name another with --debugger");
  }
  return end.ShellStatus();
}

}  // namespace dlpack_cts::runner
