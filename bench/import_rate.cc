// bench/import_rate.cc: how many import properties per second one process checks on a Python library.
//
// One property is what a case of the suites does for one example: draw a legal recipe, forge its tensor against guard
// pages, let the library import it, ask adapter.py for the array's description and values, drop everything, and let the
// judges look at the ledger. The interpreter is entered as the worker enters it.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "bench/enter.h"
#include "engine/engine.h"
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/ledger/fact_table.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

/// Checks that are valid for every legal import.
constexpr std::string_view kJudges[] = {
    "c-abi/strides/any-layout-is-honoured",       "c-abi/dtype/imported-type-is-the-tensors",
    "c-abi/data/import-writes-nothing",           "c-abi/shape/consumer-writes-no-metadata",
    "c-abi/own/deleter-gets-the-original-struct", "c-abi/own/tensor-is-not-released-while-in-use",
    "c-abi/own/tensor-is-released-once"};

/// Generates, runs and judges exchanges, and stops at the first wrong answer: a rate of wrong answers is useless.
class Property {
 public:
  explicit Property(Subject& subject) : engine_(subject) {
    for (const std::string_view id : kJudges) {
      judges_.push_back(FindCase(id));
      if (judges_.back() == nullptr)
        throw Failure("the catalogue has no case " + std::string(id), "correct bench/import_rate.cc");
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

  /// Throws Failure for a wrong answer.
  void Check(const Recipe& recipe) {
    engine_.Run(recipe, ledger_);
    const auto wrong = [&](std::string_view what) { return Failure(std::string(what) + ": " + ToJson(recipe)); };
    const Safety safety = SafetyOf(recipe, ledger_);
    if (safety.unsafe) throw wrong("the library accessed forbidden memory");
    if (safety.leak) throw wrong("the deleter was never called");
    if (!Accepted(ledger_)) throw wrong("the library refused the tensor");
    for (const Case* judge : judges_) {
      Judgement judgement(ledger_, judge->rules.front());
      judge->judge(recipe, ledger_, judgement);
      const std::optional<Breach>& breach = judgement.breach();
      if (breach.has_value()) throw wrong(breach->message);
      if (!judgement.judged()) throw wrong(std::string(judge->id) + " gave no judgement");
    }
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
    if (taken_ == 0) throw Failure("the library imported no tensor", "test the library with dlpack-cts run first");
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
    const std::optional<Failure> wrong = FailureOf([&] { property.Check(recipe); });
    if (!wrong) continue;
    state.SkipWithError(wrong->what());
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

size_t Run(Subject& subject, Bench& bench) {
  Property property(subject);
  benchmark::RegisterBenchmark("drawing_alone", [&](benchmark::State& state) { Drawing(state, property); });
  benchmark::RegisterBenchmark("import_property", [&](benchmark::State& state) { ImportProperty(state, property); });
  benchmark::RegisterBenchmark("compare_ledgers", [&](benchmark::State& state) { Comparing(state, property); });
  benchmark::Initialize(&bench.argc, bench.argv);
  return benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { dlpack_cts::BenchInLibrary(argc, argv, dlpack_cts::Run); }
