// runner/cli/run_steps.cc: selects cases, and checks what the command line names.
#include "runner/cli/run_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failure.h"
#include "base/paths.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/run/assignment.h"
#include "runner/run/last_failed.h"
#include "runner/run/publish.h"
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

}  // namespace

std::vector<std::string> CasesToRun(const Catalogue& catalogue, const Options& options, bool pairs) {
  CheckLevel(options.level);
  const RunOptions& asked = options.run;
  const std::vector<std::string> selected =
      SelectCases(CasesOf(catalogue, pairs), asked.select, asked.roles, asked.deselect);
  return OfLastRun(options, AtLevel(catalogue, selected, options.level));
}

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

std::vector<std::string> FilesToUpdate(const std::vector<Library>& libraries, const Options& options) {
  std::vector<std::string> files;
  if (!options.update) return files;
  for (const Library& library : libraries) files.push_back(ExpectationsOf(library, options));
  return files;
}

void CheckUpdates(const std::vector<std::string>& files) {
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (std::find(files.begin(), file, *file) != file)
      throw Failure("--update would rewrite " + *file + " twice", "run the libraries one after the other");
    CheckUpdate(*file);
  }
}

void Begin(const Options& options, size_t here, size_t all, const std::string& what) {
  Tell(fmt::format("dlpack-cts: seed {}\n", options.run.seed));
  if (!options.shard.IsWhole()) {
    Tell(fmt::format("dlpack-cts: shard {} has {} of {} {}; dlpack-cts report merges the shards\n",
                     options.shard.Text(), here, all, what));
  }
  if (options.time_limit > 0) EndAfter(options.time_limit);
}

int StatusOf(const Options& options, int status) { return status == kNothingJudged ? options.skip_status : status; }

void TellPage(const Options& options, int status) {
  if (!options.out.empty() || options.format != "tree" || status > kUnexpected) return;
  Print("Page        add --out DIR to write a page and a script for each failure\n");
}

}  // namespace dlpack_cts::runner
