// tests/native/lanes_test.cc: steps on several threads, in other contexts, several times over, and by either library of
// a pair.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "engine/engine.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/normalize.h"
#include "reference/plugin.h"
#include "subject/native_subject.h"

namespace dlpack_cts {
namespace {

/// Writes down which threads drop arrays, and can hold them until so many are in the call.
class Watched : public NativeSubject {
 public:
  using NativeSubject::NativeSubject;

  std::atomic<int> wait_for{0};
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> wait_for_exports{0};
  std::atomic<int> exports{0};
  std::atomic<int> most_exports{0};
  std::atomic<int> makes{0};
  std::atomic<int> imports{0};
  std::mutex mutex;
  std::set<std::thread::id> droppers;

  void Drop(Handle array) override {
    {
      const std::lock_guard lock(mutex);
      droppers.insert(std::this_thread::get_id());
    }
    const int now = ++inside;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (most < wait_for && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    NativeSubject::Drop(array);
    --inside;
  }
  Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) override {
    ++makes;
    return NativeSubject::Make(request, backing, refusal);
  }
  void Export(Handle array, const Call& call, int slot, Ledger& ledger) override {
    const int now = ++exports;
    for (int seen = most_exports; now > seen && !most_exports.compare_exchange_weak(seen, now);) {
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (most_exports < wait_for_exports && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    NativeSubject::Export(array, call, slot, ledger);
    --exports;
  }
  Handle ImportForeign(Handle, const Request&, const Call&, Refusal& refusal) override {
    ++imports;
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
};

class LanesTest : public testing::Test {
 protected:
  void SetUp() override { Forge::InstallFaultHandler(); }

  static Recipe Imports(std::initializer_list<Step> steps) {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().kind = StructKind::kVersioned;
    SetLife(recipe, steps);
    Normalize(recipe);
    return recipe;
  }

  const Ledger& Run(const Recipe& recipe) {
    Engine(subject_).Run(recipe, ledger_);
    return ledger_;
  }

  static bool Has(const Ledger& ledger, Op op) {
    for (int i = 0; i < ledger.event_count && i < kEvents; ++i) {
      if (ledger.events[i].seen == Seen::kStep && ledger.events[i].a == static_cast<int32_t>(op)) return true;
    }
    return false;
  }

  Reference reference_;
  Watched subject_{ReferencePlugin(reference_), &reference_};
  Ledger ledger_{};
};

TEST_F(LanesTest, LanesCallTheLibraryAtTheSameTime) {
  subject_.wait_for = 3;
  Run(Imports({{.op = Op::kImport, .slot = 0},
               {.op = Op::kImport, .slot = 1},
               {.op = Op::kImport, .slot = 2},
               {.op = Op::kDropArray, .slot = 0, .lane = 1, .barrier = 1},
               {.op = Op::kDropArray, .slot = 1, .lane = 2},
               {.op = Op::kDropArray, .slot = 2}}));
  EXPECT_EQ(subject_.most, 3);
  EXPECT_EQ(subject_.droppers.size(), 3u);
  EXPECT_EQ(subject_.droppers.count(std::this_thread::get_id()), 1u) << "lane 0 is the engine's own thread";
  for (int slot = 0; slot < 3; ++slot) EXPECT_EQ(ledger_.imports[slot].deleter.calls, 1);
}

TEST_F(LanesTest, ListedDeleterCallsNameTheirOwnStep) {
  subject_.wait_for = 3;
  Run(Imports({{.op = Op::kImport, .slot = 0},
               {.op = Op::kImport, .slot = 1},
               {.op = Op::kImport, .slot = 2},
               {.op = Op::kDropArray, .slot = 0, .lane = 1, .barrier = 1},
               {.op = Op::kDropArray, .slot = 1, .lane = 2},
               {.op = Op::kDropArray, .slot = 2, .context = Context::kRawThread}}));
  ASSERT_EQ(ledger_.deleter_count, 3);
  for (int i = 0; i < 3; ++i) {
    const DeleterCall& call = ledger_.deleter_calls[i];
    EXPECT_EQ(call.step, 3 + call.slot) << "all three calls ran at once";
    EXPECT_EQ(call.lane, call.slot == 2 ? -1 : call.slot + 1);
  }
}

TEST_F(LanesTest, BarrierWaitsForEarlierSteps) {
  subject_.wait_for = 2;
  Run(Imports({{.op = Op::kImport, .slot = 0},
               {.op = Op::kImport, .slot = 1},
               {.op = Op::kDropArray, .slot = 0, .lane = 1, .barrier = 1},
               {.op = Op::kDropArray, .slot = 1, .lane = 2},
               {.op = Op::kImport, .slot = 2, .barrier = 1},
               {.op = Op::kRead, .slot = 2}}));
  EXPECT_EQ(ledger_.imports[2].library.reading, Reading::kMatches);
  EXPECT_EQ(subject_.most, 2);
}

TEST_F(LanesTest, StepsOfOneLaneRunInOrder) {
  for (int round = 0; round < 100; ++round) {
    Run(Imports({{.op = Op::kImport, .slot = 0, .lane = 1},
                 {.op = Op::kImport, .slot = 1, .lane = 2},
                 {.op = Op::kImport, .slot = 2, .lane = 3},
                 {.op = Op::kImport, .slot = 3},
                 {.op = Op::kRead, .slot = 0, .lane = 1},
                 {.op = Op::kRead, .slot = 1, .lane = 2},
                 {.op = Op::kDropArray, .slot = 2, .lane = 3},
                 {.op = Op::kRead, .slot = 3},
                 {.op = Op::kDropArray, .slot = 0, .lane = 1},
                 {.op = Op::kDropArray, .slot = 3}}));
    for (int slot = 0; slot < kSlots; ++slot) {
      ASSERT_EQ(ledger_.imports[slot].deleter.calls, 1);
      ASSERT_EQ(ledger_.imports[slot].released, 1);
      if (slot == 2) continue;
      ASSERT_EQ(ledger_.imports[slot].library.reading, Reading::kMatches);
    }
  }
}

TEST_F(LanesTest, StepsWithTheSameSlotDoNotOverlap) {
  for (int round = 0; round < 100; ++round) {
    Run(Imports({{.op = Op::kImport, .slot = 0},
                 {.op = Op::kDropArray, .slot = 0, .lane = 1, .barrier = 1},
                 {.op = Op::kRead, .slot = 0, .lane = 2},
                 {.op = Op::kDropArray, .slot = 0, .lane = 3}}));
    ASSERT_EQ(ledger_.imports[0].deleter.calls, 1);
  }
}

TEST_F(LanesTest, DeletersRunAtTheSameTime) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  constexpr Context kRaw = Context::kRawThread;
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport, .slot = 0},
                   {.op = Op::kExport, .slot = 1},
                   {.op = Op::kTakeCapsule, .slot = 0},
                   {.op = Op::kTakeCapsule, .slot = 1},
                   {.op = Op::kDelete, .slot = 0, .lane = 1, .barrier = 1, .context = kRaw},
                   {.op = Op::kDelete, .slot = 1, .lane = 2, .context = kRaw},
                   {.op = Op::kDropSource, .barrier = 1}});
  Normalize(recipe);
  for (int round = 0; round < 50; ++round) {
    Run(recipe);
    ASSERT_EQ(ledger_.exports[0].deleted + ledger_.exports[1].deleted, 2);
    ASSERT_EQ(ledger_.sources[0].alive_at_end, 0);
  }
  EXPECT_EQ(reference_.live_exports, 0);
}

TEST_F(LanesTest, SeveralSourcesExistAtTheSameTime) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  recipe.request().dims = 1;
  recipe.request().shape[0] = 4;
  Request& second = AddRequest(recipe, recipe.request());
  second.shape[0] = 6;
  second.seed = 9;
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kMake, .slot = 2, .block = 1},
                   {.op = Op::kExport, .slot = 0},
                   {.op = Op::kExport, .slot = 1, .other = Other::kSlot2},
                   {.op = Op::kDropSource},
                   {.op = Op::kWriteExport, .slot = 1, .argument = 5},
                   {.op = Op::kReadSource, .other = Other::kSlot2},
                   {.op = Op::kUseSource, .other = Other::kSlot2},
                   {.op = Op::kReadExport, .slot = 0},
                   {.op = Op::kReadExport, .slot = 1}});
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(ledger_.sources[0].description.shape[0], 4);
  EXPECT_EQ(ledger_.sources[2].description.shape[0], 6);
  EXPECT_EQ(ledger_.exports[1].shape[0], 6);
  EXPECT_TRUE(ledger_.exports[0].IsAtSource());
  EXPECT_TRUE(ledger_.exports[1].IsAtSource());
  EXPECT_EQ(ledger_.exports[1].write_export, WriteShown::kShown);
  EXPECT_EQ(ledger_.exports[0].elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger_.exports[1].elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger_.sources[2].elements.reading, Reading::kMatches) << "with the element that was written";
  EXPECT_EQ(ledger_.sources[2].used.reading, Reading::kMatches);
  EXPECT_EQ(ledger_.sources[0].used.reading, Reading::kNotRead);
  EXPECT_EQ(ledger_.sources[0].alive_at_end + ledger_.sources[2].alive_at_end, 0);
  EXPECT_EQ(reference_.live_exports, 0);
}

// Which element that would be, the exported shape says in one way, and the array in another.
TEST_F(LanesTest, ExportOfAnArrayWithAnotherShapeIsNotWritten) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 2;
  recipe.request().shape[0] = recipe.request().shape[1] = 2;
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport},
                   {.op = Op::kWriteExport, .argument = 1},
                   {.op = Op::kChangeMetadata, .argument = 1},
                   {.op = Op::kExport, .slot = 1},
                   {.op = Op::kWriteExport, .slot = 1, .argument = 1}});
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(ledger_.exports[0].write_export, WriteShown::kShown);
  EXPECT_EQ(ledger_.sources[0].change.outcome, Outcome::kAccepted);
  EXPECT_EQ(ledger_.exports[1].write_export, WriteShown::kNotRun);
}

TEST_F(LanesTest, ExportsOfSeveralSourcesOverlap) {
  subject_.wait_for_exports = 2;
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kMake, .slot = 1},
                   {.op = Op::kExport, .slot = 0, .lane = 1, .barrier = 1},
                   {.op = Op::kExport, .slot = 1, .other = Other::kSlot1, .lane = 2}});
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(subject_.most_exports, 2);
}

TEST_F(LanesTest, ExportsOfOneSourceDoNotOverlap) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport, .slot = 0, .lane = 1, .barrier = 1},
                   {.op = Op::kExport, .slot = 1, .lane = 2},
                   {.op = Op::kExport, .slot = 2, .lane = 3},
                   {.op = Op::kDropSource, .barrier = 1}});
  Normalize(recipe);
  for (int round = 0; round < 50; ++round) {
    Run(recipe);
    ASSERT_EQ(subject_.most_exports, 1) << "plugin.h promises that calls with the same array never overlap";
    for (int slot = 0; slot < 3; ++slot) ASSERT_EQ(ledger_.exports[slot].elements.reading, Reading::kMatches);
  }
  EXPECT_EQ(reference_.live_exports, 0);
}

TEST_F(LanesTest, ThreadsExportSeparateArraysAtTheSameTime) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kExportTogether, Op::kDropSource});
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(ledger_.exports[0].race, Race::kFair);
  EXPECT_EQ(subject_.makes, 3) << "plugin.h promises that calls with the same array never overlap";
  EXPECT_EQ(reference_.live_exports, 0);
}

TEST_F(LanesTest, ThreadsImportAtTheSameTime) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetLife(recipe, {Op::kImportTogether});
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(ledger_.imports[0].race, Race::kFair);
  EXPECT_EQ(ledger_.imports[0].import.outcome, Outcome::kNotRun) << "the exchange of the life is another one";
}

TEST_F(LanesTest, LifeRunsOncePerRound) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule, Op::kDropSource, Op::kDelete});
  recipe.rounds = 7;
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(subject_.makes, 7);
  EXPECT_EQ(reference_.live_exports, 0);
  EXPECT_EQ(ledger_.exports[0].elements.reading, Reading::kMatches);
  Ledger once;
  recipe.rounds = 1;
  Engine(subject_).Run(recipe, once);
  EXPECT_EQ(ledger_.event_count, once.event_count) << "the ledger is that of the last round";
}

TEST_F(LanesTest, RawThreadIsAnotherThread) {
  Run(Imports({{.op = Op::kImport}, {.op = Op::kDropArray, .context = Context::kRawThread}}));
  EXPECT_EQ(subject_.droppers.size(), 1u);
  EXPECT_EQ(subject_.droppers.count(std::this_thread::get_id()), 0u);
  EXPECT_EQ(ledger_.imports[0].deleter.on_other_thread, 1);
}

TEST_F(LanesTest, StepInAnUnsupportedContextIsSkipped) {
  for (const Context context :
       {Context::kAtExit, Context::kForkedChild, Context::kSubinterpreter, Context::kFinalised}) {
    Run(Imports({{.op = Op::kImport}, {.op = Op::kDropArray, .context = context}, {.op = Op::kRead}}));
    EXPECT_FALSE(Has(ledger_, Op::kDropArray));
    EXPECT_EQ(ledger_.imports[0].library.reading, Reading::kMatches);
    EXPECT_EQ(ledger_.imports[0].released, 1);
  }
  Run(Imports({{.op = Op::kImport, .context = Context::kPendingException}}));
  EXPECT_EQ(ledger_.imports[0].import.outcome, Outcome::kNotRun) << "only what lets go may meet a pending exception";
}

TEST_F(LanesTest, EitherLibraryOfAPairMakesAndImports) {
  Reference other_reference;
  Watched other(ReferencePlugin(other_reference), &other_reference);
  Engine engine(subject_, other);
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {{.op = Op::kMake, .actor = Actor::kConsumer},
                   {.op = Op::kExport},
                   {.op = Op::kImportSource, .slot = 1, .actor = Actor::kProducer}});
  Normalize(recipe);
  engine.Run(recipe, ledger_);
  EXPECT_EQ(subject_.makes, 0);
  EXPECT_EQ(other.makes, 1);
  EXPECT_EQ(subject_.imports, 1);
  EXPECT_EQ(other.imports, 0);
  EXPECT_EQ(ledger_.exports[0].elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger_.sources[0].alive_at_end, 0);
  EXPECT_EQ(other_reference.live_exports, 0);
}

TEST_F(LanesTest, ProducerImportsAnOfferIfTheStepSaysSo) {
  Reference other_reference;
  Watched other(ReferencePlugin(other_reference), &other_reference);
  Engine engine(subject_, other);
  engine.Run(Imports({{.op = Op::kImport, .slot = 0},
                      {.op = Op::kImport, .slot = 1, .actor = Actor::kProducer},
                      {.op = Op::kDropArray, .slot = 1}}),
             ledger_);
  EXPECT_EQ(subject_.droppers.size(), 1u);
  EXPECT_EQ(ledger_.imports[0].released + ledger_.imports[1].released, 2);
}

}  // namespace
}  // namespace dlpack_cts
