// runner/cli/report_command.cc: `report`, which prints stored runs and writes their reports, compact results and the
// site.
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "reports/files.h"
#include "reports/outline.h"
#include "reports/pair_matrix.h"
#include "reports/reports.h"
#include "reports/site/site.h"
#include "results/compact.h"
#include "results/pairs.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/base/terminal.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/features.h"
#include "runner/run/carry_findings.h"
#include "runner/run/history_files.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/shard.h"
#include "runner/run/shard_files.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {
namespace {

/// What RESULTS name.
struct Inputs {
  std::vector<StoredRun> runs;  // shards are merged
  Pairs pairs;
  int status = kAsExpected;  // another one if something could not be read
};

/// The folder below --out for the reports of one of several files: the name of its library, with the version if several
/// files have the same library. Both texts come from the file, so they are turned into valid file names.
std::vector<std::string> FoldersOf(const std::vector<StoredRun>& runs) {
  std::vector<std::string> folders;
  for (const StoredRun& stored : runs) {
    const Header& header = stored.run.header;
    const auto same = [&](const StoredRun& other) { return other.run.header.library == header.library; };
    std::string name = PlainName(header.library);
    if (std::ranges::count_if(runs, same) > 1) name += "-" + PlainName(header.library_version);
    folders.push_back(UnusedName(name, folders));
  }
  return folders;
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

Inputs ReadInputs(const Catalogue& catalogue, const std::vector<std::string>& paths) {
  Inputs inputs;
  std::vector<StoredRun> stored;
  for (const std::string& path : paths) {
    try {
      if (const std::string file = PairsFileIn(path); !file.empty()) AddPairs(ReadPairs(file), inputs.pairs);
      if (IsPairsFile(path)) continue;
      for (StoredRun& one : StoredRuns(path)) stored.push_back(std::move(one));
    } catch (const Failure& failure) {
      if (Interrupted()) break;
      inputs.status = std::max(inputs.status, Report(failure));
    }
  }
  WholeRuns whole = WithMergedShards(catalogue, stored);
  for (const Failure& failure : whole.wrong) inputs.status = std::max(inputs.status, Report(failure));
  inputs.runs = std::move(whole.runs);
  return inputs;
}

/// Prints the failure of `write`, if it throws one. Returns the exit status.
template <typename Write>
int StatusOf(Write write) {
  const std::optional<Failure> failure = FailureOf(write);
  return failure ? Report(*failure) : kAsExpected;
}

/// Prints the matrix, and writes it to --store. Returns the exit status.
int PublishPairs(const Pairs& pairs, const Options& options) {
  if (!options.census) PrintMatrix(pairs, std::cout);
  const bool unexpected = std::ranges::any_of(pairs.cells, [](const PairCell& cell) { return cell.unexpected > 0; });
  return std::max<int>(unexpected ? kUnexpected : kAsExpected, WritePairs(pairs, options.store));
}

/// Writes the reports of the run to the folder, if it has one, and prints it. Returns the exit status.
int PublishRun(StoredRun& stored, const ReportContext& context, const Options& options, const std::string& folder) {
  int status = StatusOf([&] { CarryFindings(stored, folder); });
  const Run& run = stored.run;
  if (!folder.empty()) status = std::max(status, StatusOf([&] { WriteReports(run, context, folder); }));
  TextStyle style = StyleOfOutput(options.color);
  style.verbose = options.verbose;
  const bool written = !folder.empty() && status == kAsExpected;
  if (!options.census) PrintTree(run, context, std::cout, style, written ? folder + "/index.html" : "");
  const Exit incomplete = run.header.provisional ? kUsage : kAsExpected;
  return std::max<int>(status, run.footer.unexpected > 0 ? kUnexpected : incomplete);
}

/// Writes the pages about all libraries. Returns the exit status.
int PublishSite(const Catalogue& catalogue, const ReportContext& context, const Inputs& inputs,
                const std::vector<std::string>& folders, const Options& options) {
  int status = kAsExpected;
  std::vector<SiteRun> site;
  for (size_t i = 0; i < inputs.runs.size(); ++i) {
    const StoredRun& stored = inputs.runs[i];
    if (IsOfPair(stored.run)) continue;
    SiteRun& one = site.emplace_back(SiteRun{.run = &stored.run, .key = folders[i], .has_report = !stored.compact});
    if (options.history.empty()) continue;
    status = std::max(status, StatusOf([&] { one.history = HistoryIn(options.history, stored.run.header.library); }));
  }
  const bool compact = std::ranges::any_of(inputs.runs, &StoredRun::compact);
  if (options.out.empty() || (site.size() < 2 && !compact && inputs.pairs.cells.empty())) return status;
  return std::max(status,
                  StatusOf([&] { WriteSite(site, context, ReadFeatures(catalogue), inputs.pairs, options.out); }));
}

}  // namespace

int ReportCommand(const Options& options) {
  const Catalogue catalogue = ReadCatalogue();
  const ReportContext context = ContextOf(catalogue);
  Inputs inputs = ReadInputs(catalogue, options.files);
  int status = inputs.status;
  if (!inputs.pairs.cells.empty()) status = std::max(status, PublishPairs(inputs.pairs, options));
  const std::vector<std::string> folders = FoldersOf(inputs.runs);
  for (size_t i = 0; i < inputs.runs.size(); ++i) {
    StoredRun& stored = inputs.runs[i];
    // The reports of a run show evidence, which a compact file lacks.
    const bool has_reports = !options.out.empty() && !stored.compact;
    const std::string folder = inputs.runs.size() > 1 ? options.out + "/" + folders[i] : options.out;
    status = std::max(status, PublishRun(stored, context, options, has_reports ? folder : ""));
    // The set of pairs has what is to be stored of a pair.
    if (options.store.empty() || IsOfPair(stored.run)) continue;
    status = std::max(status, StatusOf([&] { StoreCompact(stored.run, options.store, folders[i]); }));
  }
  status = std::max(status, PublishSite(catalogue, context, inputs, folders, options));
  if (options.census) {
    std::vector<Run> runs;
    for (StoredRun& stored : inputs.runs) runs.push_back(std::move(stored.run));
    PrintCensus(runs, std::cout);
  }
  return status;
}

}  // namespace dlpack_cts::runner
