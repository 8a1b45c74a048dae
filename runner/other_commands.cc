// runner/other_commands.cc: `fuzz`, `report` and `env`.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "reports/reports.h"
#include "runner/failure.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"

namespace dlpack_cts {
namespace fs = std::filesystem;
namespace {

std::string FuzzProgram(const std::string& target) {
  const std::string name = "dlpack-cts-fuzz-" + target;
  for (const fs::path& folder : {fs::path(ProgramFolder()), fs::path(ProgramFolder()) / "../fuzz"}) {
    if (fs::exists(folder / name)) return fs::weakly_canonical(folder / name);
  }
  throw Failure("the fuzz target " + target + " is not built",
                "build it with clang-19: cmake --preset fuzz && ninja -C build/fuzz " + name);
}

}  // namespace

int FuzzCommand(const Options& options) {
  if (options.fuzz_target != "import")
    throw Failure("there is no fuzz target " + options.fuzz_target, "targets are: import");
  const std::string program = FuzzProgram(options.fuzz_target);
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front());
  const Environment environment = EnvironmentOf(library, options.run);
  const std::string out = options.out.empty() ? "dlpack-cts-fuzz-out" : options.out;
  const std::string corpus = out + "/corpus";
  std::error_code error;
  fs::create_directories(corpus, error);
  if (error)
    throw Failure("the folder " + corpus + " cannot be made: " + error.message(), "choose another one with --out");
  setenv("DLPACK_CTS_FUZZ_LIBRARY", library.name.c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_KIND", library.kind.c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_ADAPTER", library.folder.c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_PYTHON", environment.python.c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_LIBPYTHON", environment.libpython.c_str(), 1);
  for (const auto& [key, value] : library.environment) setenv(key.c_str(), value.c_str(), 0);
  std::vector<std::string> arguments = {program, "-max_total_time=" + std::to_string(options.fuzz_seconds),
                                        "-artifact_prefix=" + out + "/"};
  if (options.jobs > 1) arguments.push_back("-fork=" + std::to_string(options.jobs));
  arguments.push_back(corpus);
  const std::string seeds = DataFolder() + "/corpus";
  if (fs::exists(seeds)) arguments.push_back(seeds);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw Failure("the fuzz target " + program + " cannot be started", "build it again", kHarness);
}

int ReportCommand(const Options& options) {
  const Desk desk = OpenDesk();
  int status = kAsExpected;
  for (const std::string& file : options.files) {
    Run run;
    std::string error;
    if (!ReadRun(file, &run, &error)) throw Failure(error, "result files are written by dlpack-cts run --out DIR");
    Options own = options;
    Library library;
    library.name = run.header.library;
    library.kind = "read";
    if (run.footer.unexpected > 0) status = kUnexpected;
    if (!own.out.empty()) {
      ReportContext context;
      for (const auto& [id, rule] : desk.rules) {
        context.rules.push_back({id, rule.requirement, rule.source, rule.strength, std::string(ToText(rule.breach))});
      }
      const std::string folder = options.files.size() > 1 ? own.out + "/" + run.header.library : own.out;
      if (!WriteReports(run, context, folder, &error)) throw Failure(error, "choose another folder with --out");
    }
    PrintTree(run, std::cout, isatty(STDOUT_FILENO) != 0);
  }
  return status;
}

int EnvCommand(const Options& options) {
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front());
  if (!library.IsPython()) throw Failure(library.name + " is native and has no environment", "nothing is to be done");
  if (options.what != "create" && options.what != "path") {
    throw Failure("env has no verb " + options.what, "verbs are create and path");
  }
  std::cout << PrepareEnvironment(library).python << "\n";
  return kAsExpected;
}

}  // namespace dlpack_cts
