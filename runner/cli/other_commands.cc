// runner/cli/other_commands.cc: `diff` and `env`.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/failure.h"
#include "reports/difference.h"
#include "reports/text.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/base/terminal.h"
#include "runner/catalogue/catalogue.h"
#include "runner/environment/made.h"
#include "runner/run/options.h"
#include "runner/run/shard_files.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {
namespace {

constexpr int64_t kMegabyte = 1'000'000;

/// The runs of the file or folder. The shards of a run are one run. Throws Failure.
std::vector<StoredRun> WholeRunsIn(const std::string& path) {
  std::vector<StoredRun> stored = StoredRuns(path);
  const bool any = std::ranges::any_of(stored, [](const StoredRun& one) { return !one.run.header.shard.empty(); });
  if (!any) return stored;
  WholeRuns whole = WithMergedShards(ReadCatalogue(), stored);
  if (!whole.wrong.empty()) throw Failure(whole.wrong.front());
  return whole.runs;
}

}  // namespace

int DiffCommand(const Options& options) {
  const std::vector<StoredRun> before = WholeRunsIn(options.old_results);
  const std::vector<StoredRun> now = WholeRunsIn(options.new_results);
  const bool only = before.size() == 1 && now.size() == 1;
  const TextStyle style = StyleOfOutput(options.color);
  int status = kAsExpected;
  std::string text;
  for (const StoredRun& one : now) {
    const StoredRun* const other = OtherOf(before, one, only);
    if (other == nullptr) {
      text += OneLine(one.name) + ": only the new results have it\n";
      continue;
    }
    const Difference difference = DifferenceOf(other->run, one.run);
    if (!text.empty()) text += '\n';
    text += options.format == "markdown" ? DifferenceMarkdown(other->run, one.run, difference)
                                         : DifferenceText(other->run, one.run, difference, style);
    const bool ended = !other->run.header.provisional && !one.run.header.provisional;
    status = std::max<int>(status, !difference.worse.empty() ? kUnexpected : ended ? kAsExpected : kUsage);
  }
  for (const StoredRun& one : before) {
    if (OtherOf(now, one, only) == nullptr) text += OneLine(one.name) + ": only the old results have it\n";
  }
  Print(text);
  return status;
}

int EnvCommand(const Options& options) {
  const std::string& verb = options.what;
  if (verb != "create" && verb != "path" && verb != "list" && verb != "remove") {
    throw Failure("env has no verb " + verb, "the verbs are create, path, list and remove");
  }
  const bool named = !options.libraries.empty();
  if (named == (verb == "list")) {
    throw Failure(named ? "env list takes no library" : "env " + verb + ": LIBRARY is required",
                  named ? "it lists all environments" : "for example: dlpack-cts env " + verb + " numpy");
  }
  if (verb == "list" || verb == "remove") {
    const bool lists = verb == "list";
    for (const MadeEnvironment& one : lists ? MadeEnvironments() : RemoveEnvironments(options.libraries.front())) {
      Print(fmt::format("{}{}  {} MB{}  {}\n", lists ? "" : "removed ", one.name, one.bytes / kMegabyte,
                        one.complete ? "" : ", unfinished", one.folder));
    }
    return kAsExpected;
  }
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front());
  if (!library.IsPython())
    throw Failure(library.name + " is a native library and needs no Python environment",
                  "test it with dlpack-cts run " + library.name);
  std::cout << PrepareEnvironment(library).python << "\n";
  return kAsExpected;
}

}  // namespace dlpack_cts::runner
