// runner/cli/fuzz_command.cc: `fuzz`, and `replay` of an input that a campaign stored.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/failure.h"
#include "base/paths.h"
#include "base/text.h"
#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/base/command.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/run/assignment.h"
#include "runner/run/finding.h"
#include "runner/run/options.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCampaignFile = "campaign.json";
constexpr const char* kReplayProgram = "dlpack-cts-fuzz-replay";
constexpr int kMostJobs = 64;

/// The output of the program; throws Failure if the program fails.
std::string OutputOf(const std::vector<std::string>& arguments) {
  Finished finished = RunCommand(arguments);
  if (finished.status != 0)
    throw Failure("the program " + arguments.front() + " failed", "build dlpack-cts again", kHarness);
  return std::move(finished.output);
}

/// The row of the target; throws Failure with all names if there is no such target.
FuzzTarget SelectTarget(const std::string& name) {
  std::vector<std::string> names;
  for (FuzzTarget& target : FuzzTargets()) {
    if (target.name == name) return target;
    names.push_back(std::move(target.name));
  }
  const std::string near = Nearest(name, names);
  throw Failure("there is no fuzz target " + name,
                (near.empty() ? "" : near + " ") + "the targets are " + Joined(names, ", "));
}

std::string FuzzProgram() {
  const std::string name = "dlpack-cts-fuzz";
  for (const fs::path& folder : {fs::path(ProgramFolder()), fs::path(ProgramFolder()) / "../fuzz"}) {
    if (Exists(folder / name)) return Resolved(folder / name);
  }
  throw Failure("the fuzz targets are not built, and a wheel does not contain them",
                "build them from source with clang-19: cmake --preset fuzz && ninja -C build/fuzz " + name);
}

/// The deviations that do not stop a campaign: case, rule and message, one line each. A crash or timeout always stops
/// it.
std::string KnownDeviations(const Library& library, const Options& options) {
  const std::string file = options.expectations.empty() ? library.folder + "/expectations.toml" : options.expectations;
  const Expectations expectations = Expectations::Read(file);
  std::string known;
  for (const Expectation& entry : expectations.entries()) {
    const bool dies = entry.verdict == Verdict::kCrash || entry.verdict == Verdict::kTimeout;
    if (!dies) known += entry.cases + "\t" + entry.rule + "\t" + entry.message + "\n";
  }
  return known;
}

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
  set("KNOWN", KnownDeviations(library, options));
  if (!options.fuzz_tier.empty()) set("TIER", options.fuzz_tier);
  for (const auto& [key, value] : WorkerVariables(library, environment.python, false)) {
    setenv(key.c_str(), value.c_str(), 1);
  }
}

/// A variable that SetEnvironment() or the caller set.
std::string Inherited(const std::string& name) {
  const char* value = std::getenv(("DLPACK_CTS_FUZZ_" + name).c_str());
  return value == nullptr ? "" : value;
}

void CheckCampaign(const nlohmann::json& campaign, const std::string& file) {
  const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
  const nlohmann::json adapters = campaign.value("adapters", nlohmann::json::array());
  if (is_text(campaign.value("target", nlohmann::json(""))) && is_text(campaign.value("library", nlohmann::json(""))) &&
      is_text(campaign.value("python", nlohmann::json(""))) && adapters.is_array() &&
      std::all_of(adapters.begin(), adapters.end(), is_text)) {
    return;
  }
  throw Failure(file + " is damaged: its target, library, python or adapters have the wrong type",
                "remove the file, and give the library and its adapter with --library and --adapter");
}

/// Replaces this process by the program, so its exit status becomes that of the command.
[[noreturn]] void Become(const std::vector<std::string>& arguments) {
  execv(arguments.front().c_str(), Pointers(arguments).data());
  throw Failure("the program " + arguments.front() + " cannot be started", "build dlpack-cts again", kHarness);
}

/// A seed is in corpus/TARGET. An input in any other folder is run as an import.
std::string TargetOfFolder(const std::string& file) {
  std::string folder = fs::path(Absolute(file)).parent_path().filename();
  for (const FuzzTarget& target : FuzzTargets()) {
    if (target.name == folder) return folder;
  }
  return "import";
}

/// Creates the folder of the campaign, with the file that `replay` needs.
void WriteCampaign(const std::string& out, const Library& library, const Options& options) {
  std::error_code error;
  fs::create_directories(out + "/corpus", error);
  if (error) {
    throw Failure("the folder " + out + "/corpus cannot be created: " + error.message(),
                  "choose another folder with --out");
  }
  const std::string campaign =
      nlohmann::json{{"target", options.fuzz_target}, {"library", library.name},       {"python", Inherited("PYTHON")},
                     {"tier", Inherited("TIER")},     {"mutant", Inherited("MUTANT")}, {"adapters", options.adapters}}
          .dump(2);
  if (WriteWholeFile(out + "/" + kCampaignFile, campaign + "\n") != 0 ||
      access((out + "/corpus").c_str(), W_OK | X_OK) != 0) {
    throw Failure("the folder " + out + " cannot be written", "choose another folder with --out");
  }
}

void CheckOptions(const FuzzTarget& target, const Library& library, const Options& options) {
  if (options.jobs > kMostJobs) {
    throw Failure("--jobs: " + std::to_string(options.jobs) + " is not between 1 and " + std::to_string(kMostJobs),
                  "use one job per CPU: more jobs are not faster");
  }
  if (!library.IsPython()) {
    throw Failure(library.name + " is a native library, and native libraries cannot be fuzzed yet",
                  "test it with dlpack-cts run " + library.name);
  }
  const bool claims = library.kind != "python" ||
                      std::find(library.roles.begin(), library.roles.end(), target.role) != library.roles.end();
  if (!claims) {
    throw Failure("the fuzz target " + target.name + " needs a " + target.role + ", but " + library.name +
                      " does not have this role",
                  "choose another target: dlpack-cts list targets shows all");
  }
}

}  // namespace

bool IsKeptInput(const std::string& file, std::string_view content) {
  const std::string name = fs::path(file).filename();
  for (const char* kind : {"crash-", "timeout-", "oom-", "slow-unit-"}) {
    if (name.starts_with(kind)) return true;
  }
  return content.starts_with("DLPR");
}

std::vector<FuzzTarget> FuzzTargets() {
  std::istringstream rows(OutputOf({Sibling(kReplayProgram), "--targets"}));
  std::vector<FuzzTarget> targets;
  for (std::string row; std::getline(rows, row);) {
    std::istringstream columns(row);
    FuzzTarget& target = targets.emplace_back();
    std::getline(columns, target.name, '\t');
    std::getline(columns, target.role, '\t');
    std::getline(columns, target.what);
  }
  return targets;
}

int FuzzCommand(const Options& options) {
  const FuzzTarget target = SelectTarget(options.fuzz_target);
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front());
  CheckOptions(target, library, options);
  const std::string program = FuzzProgram();
  const std::string out = options.out.empty() ? "dlpack-cts-fuzz-out" : options.out;
  SetEnvironment(target.name, library, options);
  WriteCampaign(out, library, options);
  setenv("DLPACK_CTS_FUZZ_OUT", out.c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_JOBS", std::to_string(options.jobs).c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_SECONDS", std::to_string(options.fuzz_seconds).c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_TIMEOUT", std::to_string(options.fuzz_timeout).c_str(), 1);
  setenv("DLPACK_CTS_FUZZ_MEMORY", std::to_string(options.fuzz_memory).c_str(), 1);
  std::vector<std::string> arguments = {program, out + "/corpus"};
  const std::string seeds = DataFolder() + "/corpus/" + target.name;
  if (Exists(seeds)) arguments.push_back(seeds);
  std::fprintf(stderr, "dlpack-cts: fuzzing %s for %d s; the log is %s/fuzz.log\n", library.name.c_str(),
               options.fuzz_seconds, out.c_str());
  Become(arguments);
}

int ReplayInput(Options& options) {
  const std::string file = fs::path(options.what).parent_path() / kCampaignFile;
  const nlohmann::json campaign =
      IfValid([&] { return ParseJson(ReadWholeFile(file, kLargestFinding)); }).value_or(nlohmann::json());
  std::string target = TargetOfFolder(options.what);
  if (campaign.is_object()) {
    CheckCampaign(campaign, file);
    target = SelectTarget(campaign.value("target", target)).name;
    if (options.libraries.empty()) options.libraries = {campaign.value("library", "")};
    for (const std::string& folder : campaign.value("adapters", std::vector<std::string>{})) {
      if (Exists(folder + "/library.toml")) options.adapters.push_back(folder);
    }
    setenv("DLPACK_CTS_FUZZ_TIER", campaign.value("tier", "").c_str(), 0);
    setenv("DLPACK_CTS_FUZZ_MUTANT", campaign.value("mutant", "").c_str(), 0);
    const std::string python = campaign.value("python", "");
    if (options.run.python.empty() && Exists(python)) options.run.python = python;
  }
  if (options.libraries.empty()) {
    throw Failure(options.what + " does not say which library it is for", "give the library with --library");
  }
  SetEnvironment(target, SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front()),
                 options);
  Become({Sibling(kReplayProgram), options.what});
}

}  // namespace dlpack_cts::runner
