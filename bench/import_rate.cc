// bench/import_rate.cc: how many import properties per second one process checks on a Python library.
//
// One property is what a case of the suites does for one example: draw a legal recipe, forge its tensor against guard
// pages, let the library import it, ask adapter.py for the array's description and values, drop everything, and let the
// judges look at the ledger. The interpreter is entered as the worker enters it.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"
#include "subject/bridge.h"
#include "subject/python_loader.h"

namespace dlpack_cts {
namespace {

constexpr int kUsage = 2;

/// Checks that are valid for every legal import.
constexpr std::string_view kJudges[] = {
    "c-abi/strides/any-layout-is-honoured",       "c-abi/dtype/imported-type-is-the-tensors",
    "c-abi/data/import-writes-nothing",           "c-abi/shape/consumer-writes-no-metadata",
    "c-abi/own/deleter-gets-the-original-struct", "c-abi/own/tensor-is-not-released-while-in-use",
    "c-abi/own/tensor-is-released-once"};

struct Bench {
  BridgeConfig config;
  std::string libpython;
  int argc;
  char** argv;
};

[[noreturn]] void Fail(const std::string& what, const std::string& hint) {
  std::fprintf(stderr, "dlpack-cts: %s\n  hint: %s\n", what.c_str(), hint.c_str());
  std::fflush(nullptr);
  _exit(kUsage);
}

/// Generates, runs and judges exchanges, and stops at the first wrong answer: a rate of wrong answers is useless.
class Property {
 public:
  explicit Property(Subject& subject) : engine_(subject) {
    for (const std::string_view id : kJudges) {
      judges_.push_back(FindCase(id));
      if (judges_.back() == nullptr)
        Fail("the catalogue has no case " + std::string(id), "correct bench/import_rate.cc");
    }
    FindTypes();
  }

  void Draw(Recipe& recipe) {
    recipe = DrawImport(random_, index_++, Tier::kLegal, limits_);
    recipe.offer().deleter = DeleterKind::kCounting;  // the Python check counts each deleter, too
    recipe.offer().destructor = DestructorKind::kReleases;
    SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kRead, Op::kDropProducer, Op::kDropArray});
    Normalize(recipe);
  }

  /// "" or the error.
  std::string Check(const Recipe& recipe) {
    engine_.Run(recipe, ledger_);
    const Safety safety = SafetyOf(recipe, ledger_);
    if (safety.unsafe) return "the library accessed forbidden memory: " + ToJson(recipe);
    if (safety.leak) return "the deleter was never called: " + ToJson(recipe);
    if (!Accepted(ledger_)) return "the library refused the tensor: " + ToJson(recipe);
    for (const Case* judge : judges_) {
      Judgement judgement(ledger_, judge->rules.front());
      judge->judge(recipe, ledger_, judgement);
      const std::optional<Breach>& breach = judgement.breach();
      if (breach.has_value()) return breach->message + ": " + ToJson(recipe);
      if (!judgement.judged()) return std::string(judge->id) + " gave no judgement: " + ToJson(recipe);
    }
    return "";
  }

  /// Compares the ledgers of one exchange that ran twice: how many facts differ.
  size_t Compare(const Recipe& recipe, std::vector<int>& rows) {
    if (!compared_) {
      engine_.Run(recipe, ledger_);
      engine_.Run(recipe, other_);
      compared_ = true;
    }
    Differences(ledger_, other_, rows);
    return rows.size();
  }

 private:
  /// Uses only types that the library imports: a refusal is faster than an import.
  void FindTypes() {
    for (size_t i = 0; i < DataTypes().size(); ++i) {
      limits_.dtypes = uint64_t{1} << i;
      Recipe recipe;
      do {
        Draw(recipe);
      } while (recipe.offer().kind != StructKind::kVersioned);
      engine_.Run(recipe, ledger_);
      if (Accepted(ledger_)) taken_ |= uint64_t{1} << i;
    }
    if (taken_ == 0) Fail("the library imported no tensor", "test the library with dlpack-cts run first");
    limits_.dtypes = taken_;
  }

  Engine engine_;
  Ledger ledger_{};
  Ledger other_;
  bool compared_ = false;
  Limits limits_;
  uint64_t taken_ = 0;
  Random random_{1};
  int index_ = 0;
  std::vector<const Case*> judges_;
};

void Drawing(benchmark::State& state, Property& property) {
  Recipe recipe;
  while (state.KeepRunning()) {
    property.Draw(recipe);
    benchmark::DoNotOptimize(recipe);
  }
  state.SetItemsProcessed(state.iterations());
}

void ImportProperty(benchmark::State& state, Property& property) {
  Recipe recipe;
  while (state.KeepRunning()) {
    property.Draw(recipe);
    const std::string wrong = property.Check(recipe);
    if (wrong.empty()) continue;
    state.SkipWithError(wrong.c_str());
    break;
  }
  state.SetItemsProcessed(state.iterations());
}

/// Compares all facts of two equal ledgers.
void Comparing(benchmark::State& state, Property& property) {
  Recipe recipe;
  property.Draw(recipe);
  std::vector<int> rows;
  while (state.KeepRunning()) {
    if (property.Compare(recipe, rows) == 0) continue;
    state.SkipWithError(FactRowAt(rows.front()).key.c_str());
    break;
  }
  state.SetItemsProcessed(state.iterations());
}

int Body(void* opaque) {
  Bench& bench = *static_cast<Bench*>(opaque);
  const auto open = reinterpret_cast<BridgeOpen>(BridgeSymbol("dlpack_cts_bridge_open"));
  BridgeError error;
  Subject* subject = open == nullptr ? nullptr : open(bench.config, &error);
  if (subject == nullptr) Fail(error.message, error.hint);
  Forge::InstallFaultHandler();
  subject->runtime().BeforeFork();  // freezes the objects of the import, as before the forks of a run
  subject->runtime().AfterForkInParent();
  Property property(*subject);
  benchmark::RegisterBenchmark("drawing_alone", [&](benchmark::State& state) { Drawing(state, property); });
  benchmark::RegisterBenchmark("import_property", [&](benchmark::State& state) { ImportProperty(state, property); });
  benchmark::RegisterBenchmark("compare_ledgers", [&](benchmark::State& state) { Comparing(state, property); });
  benchmark::Initialize(&bench.argc, bench.argv);
  const size_t ran = benchmark::RunSpecifiedBenchmarks();
  std::fflush(nullptr);
  _exit(ran > 0 ? 0 : 1);  // some libraries abort in their exit handlers
}

int Main(int argc, char** argv) {
  if (argc < 5)
    Fail("four arguments are needed", "usage: import_rate PYTHON LIBPYTHON LIBRARY ADAPTER [--benchmark_...]");
  Bench bench{{.python = argv[1], .path = {}, .library = argv[3], .adapter = argv[4], .claims = 0},
              argv[2],
              argc - 4,
              argv + 4};
  std::string error;
  if (!LoadBridge(bench.libpython, &error))
    Fail(error, "use bench/run.sh, which finds the libpython of an environment");
  const auto enter = reinterpret_cast<BridgeEnter>(BridgeSymbol("dlpack_cts_bridge_enter"));
  if (enter == nullptr) Fail("the bridge has no entry point", "build dlpack-cts again");
  enter(bench.config, &Body, &bench);
  Fail("the interpreter " + bench.config.python + " could not be started", "check that this interpreter works");
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { return dlpack_cts::Main(argc, argv); }
