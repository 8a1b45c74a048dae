// runner/main.cc: reads the command line, runs its command, and returns the exit status.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "base/shortage.h"
#include "base/text.h"
#include "results/roomy_stack.h"
#include "runner/base/glob.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/cli/command_line.h"

namespace dlpack_cts::runner {
namespace {

/// The error message of CLI11, with the name of the command.
Failure Misused(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
    if (command->get_name() == first)
      return {first + ": " + error.what(), "dlpack-cts " + first + " --help shows its options"};
  }
  const std::string list = Joined(commands, ", ");
  if (first.empty()) return {"a command is missing", "the commands are " + list};
  if (first.starts_with('-'))
    return {"there is no option " + first + " before a command",
            "write options after the command; see dlpack-cts --help"};
  const std::string near = Nearest(first, commands);
  return {"there is no command " + first, near.empty() ? "the commands are " + list : near};
}

/// If the working folder was removed, relative paths cannot be resolved, and many functions of libraries abort.
void StandSomewhere(const Options& options) {
  std::error_code gone;
  [[maybe_unused]] const std::filesystem::path here = std::filesystem::current_path(gone);
  if (!gone) return;
  std::vector<std::string> paths = options.adapters;
  for (const auto* list : {&options.run.pythonpath, &options.files, &options.fuzz_merge})
    paths.insert(paths.end(), list->begin(), list->end());
  paths.insert(paths.end(), {options.out, options.expectations, options.keep, options.fuzz_minimize});
  if (options.run.python.find('/') != std::string::npos) paths.push_back(options.run.python);
  for (const std::string& path : paths) {
    if (path.empty() || path.front() == '/') continue;
    throw Failure("the working folder no longer exists, so the path " + path + " cannot be found",
                  "change to a folder that exists, or give absolute paths");
  }
  std::filesystem::current_path("/", gone);
}

int Main(int argc, char** argv) {
  CLI::App app("dlpack-cts: tests DLPack producers and consumers", "dlpack-cts");
  CommandLine line;
  for (int i = 0; i < argc; ++i) line.options.command += (i > 0 ? " " : "") + std::string(argv[i]);
  Declare(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    Print(app.help());
    return kAsExpected;
  } catch (const CLI::CallForVersion&) {
    Print(app.version() + "\n");
    return kAsExpected;
  } catch (const CLI::ParseError& e) {
    throw Misused(app, e, argc > 1 ? argv[1] : "");
  }
  CatchInterrupts();
  CollectedOutput output;
  int status = kAsExpected;
  try {
    StandSomewhere(line.options);
    status = line.handler(line.options);
  } catch (const Failure& failure) {
    // An error that the interrupt itself caused is not reported.
    status = Interrupted() && failure.status() != kInterrupted ? static_cast<int>(kInterrupted) : Report(failure);
  } catch (const std::exception& e) {
    status = Report(Unforeseen(e));
  }
  const std::optional<Failure> unprinted = FailureOf([&] { output.Flush(); });
  if (unprinted) status = std::max(status, Report(*unprinted));
  return Interrupted() ? kInterrupted : status;
}

/// If a standard descriptor is closed at the start, the next opened file would get its number.
void OpenStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }
}

}  // namespace

int Started(int argc, char** argv) {
  try {
    OpenStandardStreams();
    RaiseLimits();
    return Main(argc, argv);
  } catch (const Failure& failure) {
    return Report(failure);
  } catch (const std::exception& e) {
    return Report(Unforeseen(e));
  }
}

}  // namespace dlpack_cts::runner

int main(int argc, char** argv) {
  // Results that one thread reads are freed by another one, much later. Heaps of their own would stay half empty.
  mallopt(M_ARENA_MAX, 1);
  return dlpack_cts::OnRoomyStack([=] { return dlpack_cts::runner::Started(argc, argv); });
}
