// runner/cli/interop_command.cc: `interop`: pairs of libraries, each in an environment that has both.
#include <algorithm>
#include <sstream>

#include "reports/pair_cell.h"
#include "reports/pair_matrix.h"
#include "results/pairs.h"
#include "runner/base/print.h"
#include "runner/cli/pair_plan.h"
#include "runner/cli/run_steps.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"
#include "runner/run/pair_changes.h"
#include "runner/run/publish.h"
#include "runner/run/schedule.h"

namespace dlpack_cts::runner {
namespace {

/// The command without paths.
std::string CommandOf(const Options& options) {
  std::string command = "dlpack-cts interop";
  for (const std::string& name : options.libraries) command += " " + name;
  return command + " --seed " + std::to_string(options.run.seed);
}

/// Prints the matrix, and writes it to --out. Returns the exit status for that.
int PublishMatrix(const Options& options, const Pairs& pairs) {
  if (options.format == "tree") {
    std::ostringstream text;
    PrintMatrix(pairs, text);
    Print(text.str());
  }
  return WritePairs(pairs, options.out);
}

/// What the pairs that ran tell.
struct Told {
  PairsHeader header;
  std::vector<ListChanges> changes;
};

/// Fills the cell of a pair that has run, or says why it could not.
void Take(const Assembled* assembled, const Failure* failure, PairCell& cell, Told& told) {
  if (failure != nullptr) cell.why = failure->what();
  if (assembled == nullptr) return;
  const Header& header = assembled->run.header;
  FillCell(assembled->run, cell);
  cell.producer_version = header.library_version;
  cell.consumer_version = assembled->partner_version;
  if (told.header.started.empty()) told.header.started = header.started;
  told.header.machine = header.machine;
  Merge(assembled->changes, told.changes);
}

/// Returns the worst exit status of the pairs that can be installed together.
int TestPairs(const Catalogue& catalogue, const std::vector<std::string>& cases, const Options& options, PairPlan& plan,
              Told& told) {
  Options own = options;
  if (options.every_pair && options.format == "tree") own.format = "quiet";  // the matrix is printed instead
  std::vector<Prepare> preparing;
  std::vector<PairCell*> running;
  for (Pair& pair : plan.pairs) {
    if (pair.cell.state == PairState::kNotTogether) continue;
    running.push_back(&pair.cell);
    preparing.emplace_back([&] {
      return PreparePair(plan.libraries[pair.producer], plan.libraries[pair.consumer], plan.HomeOf(pair), own);
    });
  }
  if (preparing.empty()) return kAsExpected;
  return TestAll(catalogue, cases, preparing, options.workers,
                 [&](size_t index, const Assembled* assembled, const Failure* failure) {
                   Take(assembled, failure, *running[index], told);
                 });
}

/// The lists of all libraries: one that another pair already wrote would have other lines than those that were read.
int UpdateLists(const std::vector<ListChanges>& changes) {
  int status = kAsExpected;
  for (const ListChanges& of_list : changes) {
    if (of_list.added.empty() && of_list.removed.empty()) continue;
    const std::optional<Failure> failure = FailureOf([&] { UpdateFile(of_list); });
    if (failure) status = std::max(status, Report(*failure));
  }
  return status;
}

}  // namespace

int InteropCommand(Options& options) {
  PairPlan plan = SelectPairs(options);
  const Catalogue catalogue = ReadCatalogue();
  const std::vector<std::string> cases = CasesToRun(catalogue, options, true);
  CheckInputs(options);
  PrepareOut(options.out);
  options.pairs = true;
  if (!options.run.sweep_given) options.run.sweep = kPairSweep;
  CheckUpdates(FilesToUpdate(plan.libraries, options));
  const auto here = std::ranges::count_if(plan.pairs, [&](const Pair& pair) { return options.shard.Has(pair.Name()); });
  Begin(options, static_cast<size_t>(here), plan.pairs.size(), "pairs");
  PlacePairs(options, plan);
  Told told;
  int status = TestPairs(catalogue, cases, options, plan, told);
  status = std::max(status, UpdateLists(told.changes));
  Pairs results;
  results.header = std::move(told.header);
  results.header.program_version = DLPACK_CTS_VERSION;
  results.header.command = CommandOf(options);
  for (Pair& pair : plan.pairs) results.cells.push_back(std::move(pair.cell));
  if (results.cells.size() > 1) status = std::max(status, PublishMatrix(options, results));
  TellPage(options, status);
  return StatusOf(options, status);
}

}  // namespace dlpack_cts::runner
