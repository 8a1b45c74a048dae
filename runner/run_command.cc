// runner/run_command.cc: `run`, `replay` and `interop`.
#include <algorithm>
#include <filesystem>

#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/failure.h"
#include "runner/finding.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"
#include "runner/print.h"
#include "runner/schedule.h"
#include "runner/update.h"

namespace dlpack_cts::runner {
namespace {

void CheckLevel(const std::string& level) {
  if (level == "must" || level == "should" || level == "all") return;
  throw Failure("there is no level " + level, "the levels are must, should and all");
}

/// --level keeps the cases with a rule whose violation is FAIL (must), or FAIL or WARN (should).
std::vector<std::string> AtLevel(const Desk& desk, std::vector<std::string> ids, const std::string& level) {
  if (level == "all") return ids;
  const Verdict weakest = level == "must" ? Verdict::kFail : Verdict::kWarn;
  std::erase_if(ids, [&](const std::string& id) {
    const auto info = std::find_if(desk.cases.begin(), desk.cases.end(), [&](const auto& c) { return c.id == id; });
    return std::none_of(info->rules.begin(), info->rules.end(), [&](const std::string& rule) {
      return desk.rules.contains(rule) && desk.rules.at(rule).breach <= weakest;
    });
  });
  if (ids.empty()) throw Failure("--level " + level + " leaves no case to run", "change --level or --select");
  return ids;
}

std::vector<CaseInfo> CasesOf(const Desk& desk, bool pair) {
  std::vector<CaseInfo> cases = desk.cases;
  std::erase_if(cases, [&](const CaseInfo& info) { return info.pair != pair; });
  return cases;
}

/// Checks before anything runs that the results can be written.
void CheckOut(std::string& out) {
  if (out.empty()) return;
  std::error_code error;
  // The library may change the working folder, or remove it.
  out = std::filesystem::absolute(out).lexically_normal();
  std::filesystem::create_directories(out, error);
  const std::string name = out + "/.dlpack-cts-probe";
  if (!error) error.assign(WriteWholeFile(name, "\n"), std::generic_category());
  if (!error) std::filesystem::remove(name, error);
  if (error) {
    throw Failure("the folder " + out + " cannot be written: " + error.message(),
                  "choose another folder with --out, or free some space");
  }
}

/// The output folder of an assignment: --out itself, or a folder in it.
std::string FolderOf(const std::string& out, const std::string& name) {
  return out.empty() ? "" : (std::filesystem::path(out) / name).string();
}

/// Fills everything except the environment, which takes time, and the job.
Assignment Begin(const Library& library, const Options& options, int library_examples) {
  Assignment assignment;
  assignment.library = library;
  assignment.options = options;
  RunOptions& run = assignment.options.run;
  if (!run.sweep_given) run.sweep = std::min(run.sweep, library.sweep);
  if (!run.examples_given && library_examples > 0) {
    run.examples = library_examples;
    assignment.examples_from = "library.toml";
  }
  assignment.started = UtcNow();
  assignment.clock = std::chrono::steady_clock::now();
  return assignment;
}

std::string ExpectationsOf(const Library& library, const Options& options) {
  return options.expectations.empty() ? library.folder + "/expectations.toml" : options.expectations;
}

Assignment PrepareOne(const Library& library, const Options& options) {
  Assignment assignment = Begin(library, options, library.examples);
  assignment.expectations = Expectations::Read(ExpectationsOf(library, options));
  assignment.environment = EnvironmentOf(library, options.run);
  assignment.job = MakeJob(library, assignment.environment, {}, assignment.options.run);
  return assignment;
}

/// The lower of two numbers; 0 is the default.
int Fewer(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

Assignment PreparePair(const Library& producer, const Library& consumer, const Options& options) {
  Library pair = UnionOf(producer, consumer);
  pair.name = producer.name + "-to-" + consumer.name;
  pair.folder = producer.folder;
  Assignment assignment = Begin(pair, options, Fewer(producer.examples, consumer.examples));
  assignment.producer = producer.name;
  assignment.consumer = consumer.name;
  const std::string& file = options.expectations;
  assignment.expectations =
      Expectations::Read(file.empty() ? producer.folder + "/interop-" + consumer.name + ".toml" : file);
  assignment.options.out = FolderOf(options.out, pair.name);
  assignment.environment = EnvironmentOf(pair, options.run);
  assignment.job = MakeJob(producer, assignment.environment, {}, assignment.options.run);
  assignment.job["fork"] = pair.fork_safe;
  assignment.job["pair"] = AsPartner(MakeJob(consumer, assignment.environment, {}, options.run));
  return assignment;
}

/// Names of the output folders of several libraries. Two versions of one library get different folders.
std::vector<std::string> FolderNames(const std::vector<Library>& libraries) {
  std::vector<std::string> names;
  for (const Library& library : libraries) {
    std::string name = library.name;
    if (!library.version.empty() && std::count_if(libraries.begin(), libraries.end(), [&](const Library& other) {
                                      return other.name == library.name;
                                    }) > 1) {
      name += "-" + library.version;
    }
    names.push_back(UnusedName(PlainName(name), names));
  }
  return names;
}

/// A finding may have been written or edited by hand.
void CheckFinding(const nlohmann::json& finding, const std::string& file) {
  const char* hint = "give a file that dlpack-cts run --out DIR wrote into DIR/findings or DIR/causes";
  if (!finding.is_object()) throw Failure(file + " is not a finding: it is not a JSON object", hint);
  for (const char* key : {"case", "library"}) {
    if (!finding.contains(key) || !finding.at(key).is_string()) {
      throw Failure(file + " is not a finding: its \"" + key + "\" is not a string", hint);
    }
  }
  if (!finding.contains("recipe") || !finding.at("recipe").is_object()) {
    throw Failure(file + " is not a finding: its \"recipe\" is not an object", hint);
  }
  const auto is_object = [](const nlohmann::json& item) { return item.is_object(); };
  const nlohmann::json earlier = finding.value("earlier", nlohmann::json::array());
  if (!earlier.is_array() || !std::all_of(earlier.begin(), earlier.end(), is_object)) {
    throw Failure(file + " is not a finding: its \"earlier\" is not a list of recipes", hint);
  }
  const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
  for (const char* key : {"adapters", "pythonpath"}) {
    const nlohmann::json folders = finding.value(key, nlohmann::json::array());
    if (!folders.is_array() || !std::all_of(folders.begin(), folders.end(), is_text)) {
      throw Failure(file + " is not a finding: its \"" + key + "\" is not a list of folders", hint);
    }
  }
  for (const char* key : {"python", "mutant"}) {
    if (finding.contains(key) && !finding.at(key).is_string()) {
      throw Failure(file + " is not a finding: its \"" + key + "\" is not a string", hint);
    }
  }
}

void TellSeed(const Options& options) { Tell("dlpack-cts: seed " + std::to_string(options.run.seed) + "\n"); }

/// Checks before anything runs that the files and folders of the command line exist.
void CheckInputs(const Options& options) {
  const std::string& file = options.expectations;
  if (!file.empty() && !options.update && !std::filesystem::exists(file)) {
    throw Failure("there is no file " + file, "give --expectations the path of a TOML file");
  }
  for (const std::string& folder : options.run.pythonpath) {
    if (std::filesystem::exists(folder)) continue;
    throw Failure("there is no folder " + folder, "give --pythonpath a folder with Python modules");
  }
}

/// Two runs must not rewrite the same file: the second would discard the entries of the first.
void CheckUpdates(const std::vector<Library>& libraries, const Options& options) {
  if (!options.update) return;
  std::vector<std::string> files;
  for (const Library& library : libraries) {
    files.push_back(ExpectationsOf(library, options));
    if (std::count(files.begin(), files.end(), files.back()) > 1) {
      throw Failure("--update would rewrite " + files.back() + " twice", "run the libraries one after the other");
    }
    CheckUpdate(files.back());
  }
}

}  // namespace

int RunCommandLine(Options& options) {
  CheckLevel(options.level);
  if (options.libraries.empty()) {
    for (const std::string& folder : options.adapters) options.libraries.push_back(ReadLibrary(folder).name);
  }
  if (options.libraries.empty()) options.libraries = {"numpy"};
  const auto libraries = FindLibraries(DataFolder(), options.adapters);
  std::vector<Library> wanted;
  for (const std::string& name : options.libraries) wanted.push_back(SelectLibrary(libraries, name));
  const Desk desk = OpenDesk();
  const std::vector<std::string> cases =
      AtLevel(desk, SelectCases(CasesOf(desk, false), options.run.select, options.run.roles), options.level);
  CheckInputs(options);
  CheckOut(options.out);
  CheckUpdates(wanted, options);
  TellSeed(options);
  const std::vector<std::string> folders = FolderNames(wanted);
  std::vector<Prepare> preparing;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Options own = options;
    if (wanted.size() > 1) own.out = FolderOf(options.out, folders[i]);
    preparing.emplace_back([library = wanted[i], own] { return PrepareOne(library, own); });
  }
  return JudgeAll(desk, cases, preparing, options.workers);
}

int InteropCommand(Options& options) {
  if (options.libraries.size() < 2) {
    throw Failure("interop needs at least two libraries", "for example: dlpack-cts interop numpy torch");
  }
  const auto known = FindLibraries(DataFolder(), options.adapters);
  std::vector<Library> libraries;
  for (const std::string& name : options.libraries) libraries.push_back(SelectLibrary(known, name));
  const Desk desk = OpenDesk();
  const std::vector<std::string> cases = SelectCases(CasesOf(desk, true), options.run.select, options.run.roles);
  CheckInputs(options);
  CheckOut(options.out);
  TellSeed(options);
  std::vector<Prepare> preparing;
  for (const Library& producer : libraries) {
    for (const Library& consumer : libraries) {
      preparing.emplace_back([=, &options] { return PreparePair(producer, consumer, options); });
    }
  }
  return JudgeAll(desk, cases, preparing, options.workers);
}

int ReplayCommand(Options& options) {
  std::string text;
  std::string error;
  if (!ReadWholeFile(options.what, kLargestFinding, &text, &error)) {
    throw Failure(error, "give the path of a finding, such as OUT/findings/CASE.json");
  }
  nlohmann::json finding;
  const bool parsed = ParseJson(text, &finding, &error);
  if (!finding.is_object() && IsKeptInput(options.what, text)) return ReplayInput(options);
  if (!parsed) {
    throw Failure(options.what + " is not a finding: it " + error,
                  "give a file that dlpack-cts run --out DIR wrote into DIR/findings or DIR/causes");
  }
  CheckFinding(finding, options.what);
  if (finding.contains("adapters")) {
    for (const std::string folder : finding.at("adapters")) {
      if (std::filesystem::exists(folder + "/library.toml")) options.adapters.push_back(folder);
    }
  }
  options.run.pythonpath = finding.value("pythonpath", std::vector<std::string>{});
  const std::string python = finding.value("python", "");
  if (options.run.python.empty() && std::filesystem::exists(python)) options.run.python = python;
  const std::string name = finding.at("library");
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), name);
  const Desk desk = OpenDesk();
  const std::string id = finding.at("case");
  const auto is_it = [&](const CaseInfo& info) { return info.id == id; };
  if (std::none_of(desk.cases.begin(), desk.cases.end(), is_it)) {
    throw Failure("there is no case " + id, "dlpack-cts list cases shows all cases");
  }
  CheckOut(options.out);
  const auto prepare = [&] {
    Assignment assignment = PrepareOne(library, options);
    assignment.job["replay"] = finding.at("recipe");
    if (finding.contains("earlier")) assignment.job["earlier"] = finding.at("earlier");
    if (finding.contains("mutant")) assignment.job["mutants"] = nlohmann::json::array({finding.at("mutant")});
    return assignment;
  };
  return JudgeAll(desk, {id}, {prepare}, 1);
}

}  // namespace dlpack_cts::runner
