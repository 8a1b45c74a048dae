// runner/cli/interop_command.cc: `interop`: pairs of libraries, each in an environment that has both.
#include <algorithm>
#include <sstream>

#include "base/failure.h"
#include "reports/pair_cell.h"
#include "reports/pair_matrix.h"
#include "results/pairs.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/cli/run_steps.h"
#include "runner/environment/together.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/schedule.h"

namespace dlpack_cts::runner {
namespace {

bool Acts(const Library& library, const char* role) {
  return std::ranges::find(library.roles, role) != library.roles.end();
}

/// Every library with an adapter whose arrays are in host memory.
std::vector<std::string> NamesOfAll(const std::map<std::string, Library>& known) {
  std::vector<std::string> names;
  for (const auto& [name, library] : known) {
    if (library.kind == "python" && !library.Claims("cuda")) names.push_back(name);
  }
  return names;
}

/// The libraries that the command line names, each once.
std::vector<Library> LibrariesOf(const std::map<std::string, Library>& known, Options& options) {
  if (options.every_pair && !options.libraries.empty())
    throw Failure("--all stands for every library, so no library can be named", "leave out --all, or the names");
  if (options.every_pair) options.libraries = NamesOfAll(known);
  if (options.libraries.size() < 2)
    throw Failure("interop needs at least two libraries", "for example: dlpack-cts interop numpy torch");
  std::vector<Library> libraries;
  std::vector<std::string> names;
  for (const std::string& name : options.libraries) {
    if (std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    libraries.push_back(SelectLibrary(known, name));
    if (std::ranges::count(libraries, libraries.back().name, &Library::name) > 1) {
      throw Failure(
          "interop was given two versions of " + libraries.back().name + ", which one environment cannot hold",
          "test them one after the other");
    }
  }
  options.libraries = names;
  return libraries;
}

/// Two libraries of the command line, and their cell.
struct Pair {
  size_t producer;
  size_t consumer;
  PairCell cell;
};

/// In the order of the command line. A library that only imports is not a producer.
std::vector<Pair> PairsToTest(const std::vector<Library>& libraries) {
  std::vector<Pair> pairs;
  for (size_t producer = 0; producer < libraries.size(); ++producer) {
    for (size_t consumer = 0; consumer < libraries.size(); ++consumer) {
      if (!Acts(libraries[producer], "producer") || !Acts(libraries[consumer], "consumer")) continue;
      Pair pair{.producer = producer, .consumer = consumer, .cell = {}};
      pair.cell.producer = libraries[producer].name;
      pair.cell.consumer = libraries[consumer].name;
      pairs.push_back(std::move(pair));
    }
  }
  if (pairs.empty()) throw Failure("none of these libraries exports what another one imports", "name other libraries");
  return pairs;
}

/// The names of the pairs of these libraries that do not run.
std::vector<std::string> LeftOut(const std::vector<Library>& libraries, const std::vector<Pair>& pairs) {
  std::vector<std::string> names;
  for (const Library& producer : libraries) {
    for (const Library& consumer : libraries) {
      const bool runs = std::ranges::any_of(pairs, [&](const Pair& pair) {
        return pair.cell.producer == producer.name && pair.cell.consumer == consumer.name &&
               pair.cell.state != PairState::kNotTogether;
      });
      if (!runs) names.push_back(PairName(producer.name, consumer.name));
    }
  }
  return names;
}

/// One environment for all if the command line gives it.
PairEnvironments EnvironmentsOf(const std::vector<Library>& libraries, const RunOptions& options) {
  if (!GivesPython(options)) return PlanEnvironments(libraries, WhyNotTogether);
  return PlanEnvironments(libraries, [](const Library&) { return std::string(); });
}

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

}  // namespace

int InteropCommand(Options& options) {
  const std::vector<Library> libraries = LibrariesOf(FindLibraries(DataFolder(), options.adapters), options);
  std::vector<Pair> pairs = PairsToTest(libraries);
  const Catalogue catalogue = ReadCatalogue();
  const std::vector<std::string> cases = CasesToRun(catalogue, options, true);
  CheckInputs(options);
  PrepareOut(options.out);
  options.pairs = true;
  if (options.update) {
    std::vector<std::string> files;
    for (const Pair& pair : pairs)
      files.push_back(ExpectationsOf(libraries[pair.producer], libraries[pair.consumer], options));
    CheckUpdates(files);
  }
  const auto name = [&](const Pair& pair) { return PairName(pair.cell.producer, pair.cell.consumer); };
  const auto here = std::ranges::count_if(pairs, [&](const Pair& pair) { return options.shard.Has(name(pair)); });
  Begin(options, static_cast<size_t>(here), pairs.size(), "pairs");
  const PairEnvironments environments = EnvironmentsOf(libraries, options.run);
  for (Pair& pair : pairs) {
    pair.cell.why = environments.Of(libraries[pair.producer], libraries[pair.consumer]).reason;
    if (pair.cell.why.empty()) continue;
    pair.cell.state = PairState::kNotTogether;
  }
  options.left_out = LeftOut(libraries, pairs);
  std::erase_if(pairs, [&](const Pair& pair) { return !options.shard.Has(name(pair)); });
  Options own = options;
  if (options.every_pair && options.format == "tree") own.format = "quiet";  // the matrix is printed instead
  std::vector<Prepare> preparing;
  std::vector<PairCell*> running;
  for (Pair& pair : pairs) {
    if (pair.cell.state == PairState::kNotTogether) continue;
    const Library& producer = libraries[pair.producer];
    const Library& consumer = libraries[pair.consumer];
    const Library& home = environments.environments[environments.Of(producer, consumer).environment];
    running.push_back(&pair.cell);
    preparing.emplace_back([&] { return PreparePair(producer, consumer, home, own); });
  }
  Pairs results;
  const auto ended = [&](size_t index, const Assembled* assembled, const Failure* failure) {
    PairCell& cell = *running[index];
    if (failure != nullptr) cell.why = failure->what();
    if (assembled == nullptr) return;
    FillCell(assembled->run, cell);
    cell.producer_version = assembled->run.header.library_version;
    cell.consumer_version = assembled->partner_version;
    if (results.header.started.empty()) results.header.started = assembled->run.header.started;
    results.header.machine = assembled->run.header.machine;
  };
  int status = preparing.empty() ? kAsExpected : TestAll(catalogue, cases, preparing, options.workers, ended);
  results.header.program_version = DLPACK_CTS_VERSION;
  results.header.command = CommandOf(options);
  for (Pair& pair : pairs) results.cells.push_back(std::move(pair.cell));
  if (results.cells.size() > 1) status = std::max(status, PublishMatrix(options, results));
  TellPage(options, status);
  return StatusOf(options, status);
}

}  // namespace dlpack_cts::runner
