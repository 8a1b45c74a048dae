// runner/cli/other_commands.cc: `report`, `diff` and `env`.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/failure.h"
#include "reports/difference.h"
#include "reports/files.h"
#include "reports/outline.h"
#include "reports/pair_matrix.h"
#include "reports/reports.h"
#include "reports/site/site.h"
#include "reports/text.h"
#include "results/compact.h"
#include "results/pairs.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/base/terminal.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/features.h"
#include "runner/environment/made.h"
#include "runner/run/history_files.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/shard.h"
#include "runner/run/shard_files.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {
namespace {

constexpr int64_t kMegabyte = 1'000'000;

/// The folder below --out for the reports of one of several files: the name of its library, with the version if several
/// files have the same library. Both texts come from the file, so they are turned into valid file names.
std::string FolderOf(const Run& run, const std::vector<Run>& all, std::vector<std::string>& taken) {
  const auto same = [&](const Run& other) { return other.header.library == run.header.library; };
  std::string name = PlainName(run.header.library);
  if (std::count_if(all.begin(), all.end(), same) > 1) name += "-" + PlainName(run.header.library_version);
  taken.push_back(UnusedName(name, taken));
  return taken.back();
}

/// The runs of the file or folder. The shards of a run are one run. Throws Failure.
std::vector<StoredRun> WholeRunsIn(const std::string& path) {
  std::vector<StoredRun> stored = StoredRuns(path);
  const bool any = std::ranges::any_of(stored, [](const StoredRun& one) { return !one.run.header.shard.empty(); });
  if (!any) return stored;
  WholeRuns whole = WithMergedShards(ReadCatalogue(), stored);
  if (!whole.wrong.empty()) throw Failure(whole.wrong.front());
  return whole.runs;
}

/// Writes FOLDER/NAME.ndjson without evidence. Throws Failure.
void StoreCompact(const Run& run, const std::string& folder, const std::string& name) {
  const std::string file = name + ".ndjson";
  if (IsNarrowed(run.header.options))
    throw Failure(folder + "/" + file + ": the run has only some cases, so it is not stored",
                  "run the library again without --select and the like");
  WriteFiles({{file, WithContext(folder + "/" + file + ": ", "run the library again to the end",
                                 [&] { return CompactText(run); })}},
             folder);
}

/// The file with the set of pairs: `path` itself, or the one in that folder; "" if neither exists.
std::string PairsFileIn(const std::string& path) {
  for (const std::string& file : {path, path + "/" + kPairsFile}) {
    if (IsPairsFile(file)) return file;
  }
  return "";
}

/// A pair of several sets has the cell of the last one.
void AddPairs(Pairs more, Pairs& pairs) {
  if (pairs.cells.empty()) pairs.header = more.header;
  for (PairCell& cell : more.cells) {
    std::erase_if(pairs.cells, [&](const PairCell& other) {
      return other.producer == cell.producer && other.consumer == cell.consumer;
    });
    pairs.cells.push_back(std::move(cell));
  }
}

/// Prints the matrix, and writes it to --store. Returns the exit status.
int PublishPairs(const Pairs& pairs, const Options& options) {
  if (!options.census) PrintMatrix(pairs, std::cout);
  const bool unexpected = std::ranges::any_of(pairs.cells, [](const PairCell& cell) { return cell.unexpected > 0; });
  return std::max<int>(unexpected ? kUnexpected : kAsExpected, WritePairs(pairs, options.store));
}

}  // namespace

int ReportCommand(const Options& options) {
  const Catalogue catalogue = ReadCatalogue();
  const ReportContext context = ContextOf(catalogue);
  int status = kAsExpected;
  std::vector<StoredRun> stored;
  Pairs pairs;
  for (const std::string& path : options.files) {
    try {
      if (const std::string file = PairsFileIn(path); !file.empty()) AddPairs(ReadPairs(file), pairs);
      if (IsPairsFile(path)) continue;
      for (StoredRun& one : StoredRuns(path)) stored.push_back(std::move(one));
    } catch (const Failure& failure) {
      if (Interrupted()) break;
      status = std::max(status, Report(failure));
    }
  }
  if (!pairs.cells.empty()) status = std::max(status, PublishPairs(pairs, options));
  WholeRuns whole = WithMergedShards(catalogue, stored);
  for (const Failure& failure : whole.wrong) status = std::max(status, Report(failure));
  std::vector<Run> runs;
  for (StoredRun& one : whole.runs) runs.push_back(std::move(one.run));
  std::vector<std::string> taken;
  std::vector<SiteRun> site;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const bool has_evidence = !whole.runs[i].compact;
    TextStyle style = StyleOfOutput(options.color);
    style.verbose = options.verbose;
    if (!options.census) PrintTree(run, context, std::cout, style);
    const Exit incomplete = run.header.provisional ? kUsage : kAsExpected;
    status = std::max<int>(status, run.footer.unexpected > 0 ? kUnexpected : incomplete);
    const std::string key = FolderOf(run, runs, taken);
    site.push_back({.run = &run, .key = key, .has_report = has_evidence});
    if (!options.history.empty()) {
      const std::optional<Failure> unread =
          FailureOf([&] { site.back().history = HistoryIn(options.history, run.header.library); });
      if (unread) status = std::max(status, Report(*unread));
    }
    std::optional<Failure> unwritten;
    // The set of pairs has what is to be stored of a pair.
    if (!options.store.empty() && !IsOfPair(run)) unwritten = FailureOf([&] { StoreCompact(run, options.store, key); });
    // The reports of a run show evidence, which a compact file lacks.
    if (!options.out.empty() && has_evidence) {
      const std::string folder = runs.size() > 1 ? options.out + "/" + key : options.out;
      const std::optional<Failure> failure = FailureOf([&] { WriteReports(run, context, folder); });
      if (!unwritten) unwritten = failure;
    }
    if (unwritten) status = std::max(status, Report(*unwritten));
  }
  const bool compact = std::ranges::any_of(whole.runs, &StoredRun::compact);
  std::erase_if(site, [](const SiteRun& one) { return IsOfPair(*one.run); });
  if (!options.out.empty() && (site.size() > 1 || compact || !pairs.cells.empty())) {
    const std::optional<Failure> unwritten =
        FailureOf([&] { WriteSite(site, context, ReadFeatures(catalogue), pairs, options.out); });
    if (unwritten) status = std::max(status, Report(*unwritten));
  }
  if (options.census) PrintCensus(runs, std::cout);
  return status;
}

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
    if (!text.empty()) text += "\n";
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
