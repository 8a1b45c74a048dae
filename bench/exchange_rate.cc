// bench/exchange_rate.cc: how many stored exchanges per second one process runs, with and without the comparison.
//
// The exchanges are those of bench/exchanges.ndjson, so that two commits run the same ones. "Compared" is what a sweep
// does for an exchange: it runs on the library and on the reference, and all facts are compared.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
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

/// What share of the exchanges the library accepts: a refusal is faster than an exchange.
double AcceptedShare(Runner& subject, const std::vector<Recipe>& exchanges) {
  const auto accepts = [&](const Recipe& recipe) {
    const Ledger& ledger = subject.Run(recipe);
    const bool import = recipe.kind == RecipeKind::kImport;
    return (import ? ledger.imports[0].import : ledger.exports[0].export_call).outcome == Outcome::kAccepted;
  };
  const auto accepted = std::count_if(exchanges.begin(), exchanges.end(), accepts);
  return static_cast<double>(accepted) / static_cast<double>(exchanges.size());
}

/// Runs all exchanges in each iteration.
template <typename One>
void RunAll(benchmark::State& state, const std::vector<Recipe>& exchanges, double accepted, One one) {
  while (state.KeepRunning()) {
    for (const Recipe& recipe : exchanges) one(recipe);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(exchanges.size()));
  state.counters["accepted"] = accepted;
}

size_t Run(Subject& subject, Bench& bench) {
  if (bench.argc < 2)
    throw Failure("the exchanges are missing", "the argument after ADAPTER is bench/exchanges.ndjson");
  const std::vector<Recipe> exchanges = ReadExchanges(bench.argv[1]);
  --bench.argc;
  ++bench.argv;
  BridgeConfig config = bench.config;
  config.library = "reference";
  config.adapter = "";
  Runner library(subject);
  Runner reference(OpenInPython(config));
  const Profile profile = Generous();
  std::vector<Deviation> deviations;
  const double accepted = AcceptedShare(library, exchanges);
  const auto compare = [&](const Recipe& recipe) {
    Compare({recipe, library.Run(recipe), reference.Run(recipe), profile}, deviations);
  };
  benchmark::RegisterBenchmark("exchanges_alone", [&](benchmark::State& state) {
    RunAll(state, exchanges, accepted, [&](const Recipe& recipe) { library.Run(recipe); });
  });
  benchmark::RegisterBenchmark("exchanges_compared",
                               [&](benchmark::State& state) { RunAll(state, exchanges, accepted, compare); });
  benchmark::Initialize(&bench.argc, bench.argv);
  return benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { dlpack_cts::BenchInLibrary(argc, argv, dlpack_cts::Run); }
