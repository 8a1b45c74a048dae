// runner/cli/replay_input.cc: `replay` of an input that libFuzzer kept.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/failure.h"
#include "base/paths.h"
#include "runner/base/places.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

void SetEnvironment(const std::string& target, const Library& library, const Options& options) {
  const Environment environment = EnvironmentOf(library, options.run);
  if (library.IsPython() && environment.libpython.empty()) {
    throw Failure("the interpreter " + environment.python + " has no shared libpython, which fuzzing needs",
                  "install its package libpython, or give another interpreter with --python");
  }
  const auto set = [](const char* name, const std::string& value) {
    setenv((std::string("DLPACK_CTS_FUZZ_") + name).c_str(), value.c_str(), 1);
  };
  set("TARGET", target);
  set("LIBRARY", library.name);
  set("KIND", library.kind);
  set("ADAPTER", library.folder);
  set("PYTHON", environment.python);
  set("LIBPYTHON", environment.libpython);
  for (const auto& [key, value] : WorkerVariables(library, environment.python, false)) {
    setenv(key.c_str(), value.c_str(), 1);
  }
}

/// A seed is in corpus/TARGET. An input in any other folder is run as an import.
std::string TargetOfFolder(const std::string& file) {
  const std::string folder = fs::path(Absolute(file)).parent_path().filename();
  return folder == "export" || folder == "header" ? folder : "import";
}

}  // namespace

bool IsKeptInput(const std::string& file, std::string_view content) {
  const std::string name = fs::path(file).filename();
  for (const char* kind : {"crash-", "timeout-", "oom-", "slow-unit-"}) {
    if (name.starts_with(kind)) return true;
  }
  return content.starts_with("DLPR") || name.ends_with(".struct");
}

int ReplayInput(const Options& options) {
  const std::string& file = options.files.front();
  if (options.libraries.empty()) {
    throw Failure(file + " does not say which library it is for", "give the library with --library");
  }
  SetEnvironment(TargetOfFolder(file),
                 SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front()), options);
  const std::vector<std::string> arguments = {Sibling("dlpack-cts-fuzz-replay"), file};
  // Its exit status becomes that of the command.
  execv(arguments.front().c_str(), Pointers(arguments).data());
  throw Failure("the program " + arguments.front() + " cannot be started", "build dlpack-cts again", kHarness);
}

}  // namespace dlpack_cts::runner
