// bench/exchange_rate.cc: how many stored exchanges per second one process runs, with and without the comparison.
//
// The exchanges are those of bench/exchanges.ndjson, so that two commits run the same ones. "Compared" is what a sweep
// does for an exchange: it runs on the library and on the reference, and all facts are compared.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "bench/enter.h"
#include "engine/engine.h"
#include "harness/case/generous.h"
#include "harness/compare/whole.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/normalize.h"
#include "subject/python_loader.h"

namespace dlpack_cts {
namespace {

std::vector<Recipe> ReadExchanges(const std::string& path) {
  std::ifstream file(path);
  std::vector<Recipe> exchanges;
  for (std::string line; std::getline(file, line);) {
    exchanges.push_back(RecipeFromJson(line));
    Normalize(exchanges.back());
  }
  if (exchanges.empty()) throw Failure("no exchange was read from " + path, "name bench/exchanges.ndjson");
  return exchanges;
}

/// One side of the comparison.
class Runner {
 public:
  explicit Runner(Subject& subject) : engine_(subject) {
    engine_.KeepThreads(true);  // as in a sweep
  }
  const Ledger& Run(const Recipe& recipe) {
    engine_.Run(recipe, ledger_);
    return ledger_;
  }

 private:
  Engine engine_;
  Ledger ledger_{};
};

/// The stored exchanges, and both sides of the comparison.
class Stored {
 public:
  Stored(Subject& subject, Subject& reference, const std::string& path)
      : library_(subject), reference_(reference), exchanges_(ReadExchanges(path)) {}

  /// What share of the exchanges the library accepts: a refusal is faster than an exchange.
  double AcceptedShare() {
    const auto accepts = [&](const Recipe& recipe) {
      const Ledger& ledger = library_.Run(recipe);
      const bool import = recipe.kind == RecipeKind::kImport;
      return (import ? ledger.imports[0].import : ledger.exports[0].export_call).outcome == Outcome::kAccepted;
    };
    const auto accepted = std::count_if(exchanges_.begin(), exchanges_.end(), accepts);
    return static_cast<double>(accepted) / static_cast<double>(exchanges_.size());
  }

  void RunAlone() {
    for (const Recipe& recipe : exchanges_) library_.Run(recipe);
  }
  void RunCompared() {
    for (const Recipe& recipe : exchanges_)
      Compare({recipe, library_.Run(recipe), reference_.Run(recipe), profile_}, deviations_);
  }

  int64_t size() const { return static_cast<int64_t>(exchanges_.size()); }

 private:
  Runner library_;
  Runner reference_;
  std::vector<Recipe> exchanges_;
  Profile profile_ = Generous();
  std::vector<Deviation> deviations_;
};

/// Each iteration runs all exchanges.
template <void (Stored::*kRunAll)()>
void Rate(benchmark::State& state, Stored& stored, double accepted) {
  while (state.KeepRunning()) (stored.*kRunAll)();
  state.SetItemsProcessed(state.iterations() * stored.size());
  state.counters["accepted"] = accepted;
}

size_t Run(Subject& subject, Bench& bench) {
  if (bench.argc < 2)
    throw Failure("the exchanges are missing", "the argument after ADAPTER is bench/exchanges.ndjson");
  BridgeConfig config = bench.config;
  config.library = "reference";
  config.adapter = "";
  Stored stored(subject, OpenInPython(config), bench.argv[1]);
  const double accepted = stored.AcceptedShare();
  benchmark::RegisterBenchmark("exchanges_alone", Rate<&Stored::RunAlone>, std::ref(stored), accepted);
  benchmark::RegisterBenchmark("exchanges_compared", Rate<&Stored::RunCompared>, std::ref(stored), accepted);
  int argc = bench.argc - 1;
  benchmark::Initialize(&argc, bench.argv + 1);
  return benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { dlpack_cts::BenchInLibrary(argc, argv, dlpack_cts::Run); }
