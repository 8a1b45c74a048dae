// runner/cli/issue_command.cc: `issue`, which drafts an issue about one cause for the tracker of the library.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/issue.h"
#include "reports/text.h"
#include "results/tally.h"
#include "results/uncounted.h"
#include "results/whole_file.h"
#include "runner/base/print.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/sources.h"
#include "runner/run/finding_files.h"
#include "runner/run/options.h"
#include "runner/run/stored_cause.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

/// The folder of the run's results, to which the paths in them are relative.
std::string FolderOf(const std::string& results, const StoredRun& stored) {
  std::error_code unknown;
  if (!fs::is_directory(results, unknown)) return fs::path(Absolute(results)).parent_path();
  return Exists(results + "/results.ndjson") ? results : results + "/" + stored.name;
}

/// The reproducer of a case that reports the cause; empty if no case has one, or the file is missing.
std::string ScriptOf(const Run& run, const Cause& cause, const std::string& folder) {
  const auto found = std::find_if(run.results.begin(), run.results.end(), [&](const Result& result) {
    return result.cause == cause.id && IsDeviation(result.verdict) && !result.reproducer.empty();
  });
  if (found == run.results.end()) return "";
  return IfValid([&] { return ReadWholeFile(folder + "/" + found->reproducer, kLargestFinding); }).value_or("");
}

}  // namespace

int IssueCommand(const Options& options) {
  const std::vector<StoredRun> runs = StoredRuns(options.results);
  const std::vector<StoredCause> found = CausesCalled(runs, options.what);
  const StoredRun& stored = *found.front().stored;
  const Cause& cause = *found.front().cause;
  if (found.size() > 1) {
    throw Failure("several libraries of these results have the cause " + cause.id,
                  "give the folder of one of them: " + options.results + "/" + stored.name);
  }
  if (cause.verdict == Verdict::kNote) {
    throw Failure(cause.id + " is a NOTE: the specification does not forbid what the library does",
                  "dlpack-cts explain " + cause.id + " --in " + options.results + " prints what was observed");
  }
  if (!cause.expectation.empty())
    Tell("dlpack-cts: this deviation is not new: " + OneLine(WhyExpected(cause.expectation)) + "\n");
  const Catalogue catalogue = ReadCatalogue();
  IssueContext context;
  const auto rule = catalogue.rules.find(cause.rule);
  if (rule != catalogue.rules.end()) {
    context.requirement = rule->second.requirement;
    context.source = SourceText(catalogue.source_keys, rule->second.source);
    context.links = SourceLinks(catalogue.source_keys, rule->second.source);
  }
  context.script = ScriptOf(stored.run, cause, FolderOf(options.results, stored));
  Print(IssueDraft(stored.run, cause, context));
  return kAsExpected;
}

}  // namespace dlpack_cts::runner
