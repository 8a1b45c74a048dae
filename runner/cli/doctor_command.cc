// runner/cli/doctor_command.cc: `doctor`: which files and interpreter dlpack-cts uses, and what is missing.
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <sstream>

#include "base/failure.h"
#include "base/paths.h"
#include "base/text.h"
#include "reports/text.h"
#include "runner/base/command.h"
#include "runner/base/places.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr size_t kNameColumn = 14;

/// One line: what dlpack-cts uses. `lacks` says what it cannot do without it, or is empty.
struct Found {
  std::string text;
  std::string lacks = "";
};

/// The file on PATH, or "".
std::string OnPath(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code missing;
    if (fs::is_regular_file(fs::path(folder) / name, missing)) return fs::path(folder) / name;
  }
  return "";
}

Found Data() {
  const std::string folder = DataFolder();
  return {folder + " (" + std::to_string(FindLibraries(folder, {}).size()) + " adapters)"};
}

Found WorkerProgram() {
  const Catalogue catalogue = ReadCatalogue();
  return {Sibling("dlpack-cts-worker") + " (" + std::to_string(catalogue.cases.size()) + " cases)"};
}

/// The interpreter of the reference is the one of every library that needs no environment of its own.
Environment Chosen(const Options& options) {
  return EnvironmentOf(SelectLibrary(FindLibraries(DataFolder(), {}), "reference"), options.run);
}

Found Interpreter(const Options& options) {
  const std::string python = Chosen(options).python;
  if (!options.run.python.empty()) return {python + " (from --python)"};
  const char* const own = std::getenv("DLPACK_CTS_PYTHON");
  if (own != nullptr && *own != '\0') return {python + " (from DLPACK_CTS_PYTHON)"};
  return {python + " (it makes an environment for each library)"};
}

Found Libpython(const Options& options) {
  const Environment environment = Chosen(options);
  if (!environment.libpython.empty()) return {environment.libpython + " (the worker loads it)"};
  return {"none: the interpreter loads the worker", "fuzz needs an interpreter with a shared libpython"};
}

Found Environments() {
  const std::string folder = CacheFolder() + "/env";
  std::vector<std::string> names;
  for (const std::string& entry : EntriesOf(folder)) {
    if (Exists(entry + "/dlpack-cts-complete")) names.push_back(fs::path(entry).filename());
  }
  return {folder + " (" + (names.empty() ? "none is made yet" : Joined(names, ", ")) + ")"};
}

Found Compiler() {
  const std::string compiler = OnPath("c++");
  if (!compiler.empty()) return {compiler};
  return {"none on PATH", "the nanobind adapter needs it: install g++"};
}

Found CudaDriver() {
  constexpr const char* kDriver = "libcuda.so.1";
  if (dlopen(kDriver, RTLD_LAZY | RTLD_LOCAL) != nullptr) return {kDriver};
  return {"none", "cases on CUDA devices are SKIP"};
}

Found CudaKernels() {
#ifdef DLPACK_CTS_CUDA_KERNELS
  return {"built in"};
#else
  return {"none",
          "built without nvcc: a case about device memory is SKIP, and host functions hold streams (docs/cuda.md)"};
#endif
}

/// One case on the reference: all parts together, in the interpreter.
Found Trial(const Options& options) {
  const std::vector<CaseInfo> cases = ReadCatalogue().cases;
  const auto one = std::find_if(cases.begin(), cases.end(), [](const CaseInfo& info) {
    return info.suite.starts_with("c-abi") && info.role == Role::kConsumer && !info.pair && !info.hostile;
  });
  if (one == cases.end()) throw Failure("the worker has no case", "install dlpack-cts again", kHarness);
  const Finished ran = RunCommand({ProgramFolder() + "/dlpack-cts", "run", "reference", "--select", one->id, "--sweep",
                                   "0", "--examples", "5", "--format", "json", "--python", Chosen(options).python},
                                  {.errors = true, .interruptible = true});
  if (ran.status == kAsExpected && ran.output.find("\"verdict\":\"PASS\"") != std::string::npos)
    return {one->id + " passes on the reference"};
  throw Failure("the case " + one->id + " does not pass on the reference: " + OneLine(ran.output),
                "report this output to the authors of dlpack-cts", ran.status == kUsage ? kUsage : kHarness);
}

}  // namespace

int DoctorCommand(const Options& options) {
  const std::vector<std::pair<std::string, std::function<Found()>>> rows = {
      {"program", [] { return Found{ProgramFolder() + "/dlpack-cts (" DLPACK_CTS_VERSION ")"}; }},
      {"data", &Data},
      {"worker", &WorkerProgram},
      {"bridge", [] { return Found{Sibling("libdlpack-cts-bridge.so")}; }},
      {"interpreter", [&] { return Interpreter(options); }},
      {"libpython", [&] { return Libpython(options); }},
      {"environments", &Environments},
      {"compiler", &Compiler},
      {"CUDA driver", &CudaDriver},
      {"CUDA kernels", &CudaKernels},
      {"trial", [&] { return Trial(options); }},
  };
  int status = kAsExpected;
  for (const auto& [name, find] : rows) {
    std::cout << name << std::string(kNameColumn - name.size(), ' ');
    try {
      const Found found = find();
      std::cout << OneLine(found.text) << (found.lacks.empty() ? "" : "; " + found.lacks) << "\n";
    } catch (const Failure& failure) {
      if (failure.status() == kInterrupted) throw;
      std::cout << "MISSING: " << OneLine(failure.what()) << "\n";
      if (!failure.hint().empty()) std::cout << "  hint: " << OneLine(failure.hint()) << "\n";
      status = std::max(status, failure.status());
    }
  }
  std::cout << (status == kAsExpected ? "dlpack-cts can judge libraries here.\n"
                                      : "dlpack-cts cannot judge libraries here: see MISSING above.\n");
  return status;
}

}  // namespace dlpack_cts::runner
