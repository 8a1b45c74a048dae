// runner/cli/run_command.cc: `run` and `interop`.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/run/assignment.h"
#include "runner/run/finding.h"
#include "runner/run/last_failed.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/schedule.h"
#include "runner/run/update.h"

namespace dlpack_cts::runner {
namespace {

void CheckLevel(const std::string& level) {
  if (level == "must" || level == "should" || level == "all") return;
  throw Failure("there is no level " + level, "the levels are must, should and all");
}

/// --level keeps the cases with a rule whose violation is FAIL (must), or FAIL or WARN (should).
std::vector<std::string> AtLevel(const Catalogue& catalogue, std::vector<std::string> ids, const std::string& level) {
  if (level == "all") return ids;
  const Verdict weakest = level == "must" ? Verdict::kFail : Verdict::kWarn;
  std::erase_if(ids, [&](const std::string& id) {
    const CaseInfo* const info = catalogue.Find(id);
    return std::none_of(info->rules.begin(), info->rules.end(), [&](const std::string& rule) {
      return catalogue.rules.contains(rule) && catalogue.rules.at(rule).breach <= weakest;
    });
  });
  if (ids.empty()) throw Failure("--level " + level + " leaves no case to run", "change --level or --select");
  return ids;
}

/// --last-failed keeps the cases that failed in that run.
std::vector<std::string> OfLastRun(const Options& options, const std::vector<std::string>& ids) {
  return options.last_failed.empty() ? ids : LastFailed(options.last_failed, ids);
}

std::vector<CaseInfo> CasesOf(const Catalogue& catalogue, bool pair) {
  std::vector<CaseInfo> cases = catalogue.cases;
  std::erase_if(cases, [&](const CaseInfo& info) { return info.pair != pair; });
  return cases;
}

/// The names of the libraries whose adapters are in these folders.
std::vector<std::string> NamesOf(const std::vector<std::string>& folders,
                                 const std::map<std::string, Library>& libraries) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    for (const auto& [name, library] : libraries) {
      std::error_code missing;
      if (std::filesystem::equivalent(library.folder, folder, missing)) names.push_back(name);
    }
  }
  return names;
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

/// The cases of the shard. A suite is not divided: its cases run in one process, and often have causes in common.
std::vector<std::string> InShard(const Catalogue& catalogue, const Shard& shard, std::vector<std::string> cases) {
  std::erase_if(cases, [&](const std::string& id) { return !shard.Has(catalogue.Find(id)->suite); });
  return cases;
}

/// Says how many of all cases or pairs run here.
void Begin(const Options& options, size_t here, size_t all, const std::string& what) {
  Tell(fmt::format("dlpack-cts: seed {}\n", options.run.seed));
  if (!options.shard.IsWhole()) {
    Tell(fmt::format("dlpack-cts: shard {} has {} of {} {}; dlpack-cts report merges the shards\n",
                     options.shard.Text(), here, all, what));
  }
  if (options.time_limit > 0) EndAfter(options.time_limit);
}

/// Checks before anything runs that the files and folders of the command line exist.
void CheckInputs(const Options& options) {
  const std::string& file = options.expectations;
  if (!file.empty() && !options.update && !Exists(file)) {
    throw Failure("there is no file " + file, "give --expectations the path of a TOML file");
  }
  for (const std::string& folder : options.run.pythonpath) {
    if (Exists(folder)) continue;
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

int StatusOf(const Options& options, int status) { return status == kNothingJudged ? options.skip_status : status; }

/// The last line of a report on the terminal says how to get the page.
void TellPage(const Options& options, int status) {
  if (!options.out.empty() || options.format != "tree" || status > kUnexpected) return;
  Print("Page        add --out DIR to write a page and a script for each failure\n");
}

std::vector<std::string> CasesToRun(const Catalogue& catalogue, const Options& options, bool pairs) {
  const RunOptions& asked = options.run;
  return SelectCases(CasesOf(catalogue, pairs), asked.select, asked.roles, asked.deselect);
}

}  // namespace

int RunCommandLine(Options& options) {
  CheckLevel(options.level);
  const auto libraries = FindLibraries(DataFolder(), options.adapters);
  if (options.libraries.empty()) options.libraries = NamesOf(options.adapters, libraries);
  if (options.libraries.empty()) options.libraries = {"numpy"};
  std::vector<Library> wanted;
  for (const std::string& name : options.libraries) wanted.push_back(SelectLibrary(libraries, name));
  const Catalogue catalogue = ReadCatalogue();
  const std::vector<std::string> all =
      OfLastRun(options, AtLevel(catalogue, CasesToRun(catalogue, options, false), options.level));
  const std::vector<std::string> cases = InShard(catalogue, options.shard, all);
  CheckInputs(options);
  PrepareOut(options.out);
  CheckUpdates(wanted, options);
  Begin(options, cases.size(), all.size(), "cases");
  const std::vector<std::string> folders = FolderNames(wanted);
  std::vector<Prepare> preparing;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Options own = options;
    if (wanted.size() > 1) own.out = FolderIn(options.out, folders[i]);
    preparing.emplace_back([library = wanted[i], own] { return PrepareOne(library, own); });
  }
  const int status = TestAll(catalogue, cases, preparing, options.workers);
  TellPage(options, status);
  return StatusOf(options, status);
}

int InteropCommand(Options& options) {
  if (options.libraries.size() < 2) {
    throw Failure("interop needs at least two libraries", "for example: dlpack-cts interop numpy torch");
  }
  const auto known = FindLibraries(DataFolder(), options.adapters);
  std::vector<Library> libraries;
  for (const std::string& name : options.libraries) libraries.push_back(SelectLibrary(known, name));
  const Catalogue catalogue = ReadCatalogue();
  const std::vector<std::string> cases = OfLastRun(options, CasesToRun(catalogue, options, true));
  CheckInputs(options);
  PrepareOut(options.out);
  options.pairs = true;
  std::vector<Prepare> preparing;
  for (const Library& producer : libraries) {
    for (const Library& consumer : libraries) {
      if (!options.shard.Has(PairName(producer.name, consumer.name))) continue;
      preparing.emplace_back([=, &options] { return PreparePair(producer, consumer, options); });
    }
  }
  Begin(options, preparing.size(), libraries.size() * libraries.size(), "pairs");
  if (preparing.empty()) return kAsExpected;
  const int status = TestAll(catalogue, cases, preparing, options.workers);
  TellPage(options, status);
  return StatusOf(options, status);
}

}  // namespace dlpack_cts::runner
