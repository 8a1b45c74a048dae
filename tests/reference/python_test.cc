// tests/reference/python_test.cc: the reference's Python type goes through the bridge like any library, and conforms.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/failure.h"
#include "engine/engine.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/together.h"
#include "mutants/mutant.h"
#include "subject/python_loader.h"

namespace dlpack_cts {
namespace {

/// Another instance, with a type of its own. The interpreter has to run.
Subject* OpenAnother() {
  BridgeConfig config;
  config.python = TEST_PYTHON;
  config.library = "reference";
  return &OpenInPython(config);
}

/// One interpreter for the whole program.
Subject& OpenedReference() {
  static Subject* const subject = [] {
    BridgeConfig config;
    config.python = TEST_PYTHON;
    try {
      LoadBridge(TEST_LIBPYTHON);
      StartPython(config);
      Subject* const opened = OpenAnother();
      Forge::InstallFaultHandler();
      return opened;
    } catch (const Failure& failure) {
      std::fputs(Printed(failure).c_str(), stderr);
      std::abort();
    }
  }();
  return *subject;
}

class ReferenceTypeTest : public testing::Test {
 protected:
  void TearDown() override { Instance().Reset(); }

  static Reference& Instance() { return *OpenedReference().AsReference(); }
  const Ledger& Run(const Recipe& recipe) {
    engine_.Run(recipe, ledger_);
    return ledger_;
  }

  Engine engine_{OpenedReference()};
  Ledger ledger_{};
};

TEST_F(ReferenceTypeTest, ImportsEveryLegalTensorWithItsElements) {
  Random random(11);
  for (int index = 0; index < 3000; ++index) {
    Recipe recipe = DrawImport(random, index, Tier::kLegal, Limits{});
    Normalize(recipe);
    const ImportLedger& import = Run(recipe).imports[0];
    ASSERT_EQ(import.import.outcome, Outcome::kAccepted) << index << ": " << import.import.message.view();
    ASSERT_EQ(import.library.reading, Reading::kMatches) << index << ToJson(recipe);
    ASSERT_NE(import.memory.reading, Reading::kDiffers) << index;
    ASSERT_FALSE(SafetyOf(recipe, ledger_).unsafe) << index;
    ASSERT_FALSE(SafetyOf(recipe, ledger_).leak) << index;
    const int wanted = recipe.offer().deleter == DeleterKind::kCounting ? 1 : 0;
    ASSERT_EQ(import.deleter.calls, wanted) << index;
  }
}

TEST_F(ReferenceTypeTest, SurvivesEdgeAndHostileTensors) {
  Random random(12);
  for (int index = 0; index < 3000; ++index) {
    Recipe recipe = DrawImport(random, index, index % 2 == 0 ? Tier::kEdge : Tier::kHostile, Limits{});
    Normalize(recipe);
    const ImportLedger& import = Run(recipe).imports[0];
    if (AllowedFor(recipe) == Allowed::kMustRefuse) {
      ASSERT_EQ(import.import.outcome, Outcome::kRefused) << index;
    }
    if (index % 2 == 0) {
      ASSERT_FALSE(SafetyOf(recipe, ledger_).unsafe) << index << ' ' << import.import.message.view();
      ASSERT_FALSE(SafetyOf(recipe, ledger_).leak) << index << ' ' << import.import.message.view();
    }
  }
}

TEST_F(ReferenceTypeTest, DeleterIsCalledAfterFinalizationInAFork) {
  for (const bool survives : {true, false}) {
    Instance().behaviour.exporting.deleter_ignores_end = survives ? When::Never() : When::Always();
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    SetLife(recipe, {{.op = Op::kMake},
                     {.op = Op::kExport},
                     {.op = Op::kTakeCapsule},
                     {.op = Op::kDropSource},
                     {.op = Op::kDelete, .context = Context::kFinalised}});
    Normalize(recipe);
    const Ledger& ledger = Run(recipe);
    EXPECT_EQ(ledger.exports[0].survives_end, survives ? Answer::kYes : Answer::kNo);
    EXPECT_EQ(ledger.exports[0].elements.reading, Reading::kMatches) << "this process goes on";
  }
}

TEST_F(ReferenceTypeTest, DeleterIsCalledInForks) {
  for (const bool survives : {true, false}) {
    Instance().behaviour.exporting.deleter_wants_process = survives ? When::Never() : When::Always();
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    SetLife(recipe, {{.op = Op::kMake},
                     {.op = Op::kExport},
                     {.op = Op::kTakeCapsule},
                     {.op = Op::kDropSource},
                     {.op = Op::kDelete, .context = Context::kForkedChild},
                     {.op = Op::kDelete, .context = Context::kAtExit},
                     {.op = Op::kDelete, .context = Context::kSubinterpreter}});
    Normalize(recipe);
    const ExportLedger& exported = Run(recipe).exports[0];
    EXPECT_EQ(exported.survives_fork, survives ? Answer::kYes : Answer::kNo);
    EXPECT_EQ(exported.survives_exit, survives ? Answer::kYes : Answer::kNo);
    EXPECT_NE(exported.survives_other, survives ? Answer::kNo : Answer::kYes) << "unknown before CPython 3.12";
    EXPECT_EQ(exported.deleted, 1) << "this process deletes it in the end";
  }
}

TEST_F(ReferenceTypeTest, DeleterThatHangsDoesNotReturnAtExit) {
  Instance().behaviour.exporting.deleter_deadlocks = When::Always();
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport},
                   {.op = Op::kTakeCapsule},
                   {.op = Op::kDelete, .context = Context::kAtExit},
                   {.op = Op::kDelete, .context = Context::kRawThread}});
  Normalize(recipe);
  EXPECT_EQ(Run(recipe).exports[0].survives_exit, Answer::kNo);
}

TEST_F(ReferenceTypeTest, ThreadsThatExportAtTheSameTimeGetSeparateStructs) {
  for (const Beside beside : {Beside::kNothing, Beside::kImports, Beside::kChangesMetadata}) {
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    recipe.request().dims = 2;
    recipe.request().shape[0] = 2;
    recipe.request().shape[1] = 3;
    SetLife(recipe, {{.op = Op::kMake},
                     {.op = Op::kExport},
                     {.op = Op::kTakeCapsule},
                     {.op = Op::kExportTogether, .argument = static_cast<int32_t>(beside)}});
    Normalize(recipe);
    Instance().behaviour.exporting = {};
    EXPECT_EQ(Run(recipe).exports[0].race, Race::kFair) << static_cast<int>(beside);
    EXPECT_EQ(ledger_.sources[0].alive_at_end, 0);
    Instance().behaviour.exporting.shares_beside_threads = When::Always();
    EXPECT_EQ(Run(recipe).exports[0].race, Race::kSharedStruct) << static_cast<int>(beside);
    Instance().behaviour.exporting = {};
    Instance().behaviour.exporting.lives_in_array = When::Always();
    EXPECT_EQ(Run(recipe).exports[0].race, beside == Beside::kChangesMetadata ? Race::kChanged : Race::kFair);
  }
}

TEST_F(ReferenceTypeTest, OnlyOneOfSeveralThreadsConsumesACapsule) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().gives = Gives::kStored;
  for (const Sharing sharing : {Sharing::kOneCapsule, Sharing::kOneBare}) {
    SetLife(recipe, {Step{.op = Op::kImportTogether, .argument = static_cast<int32_t>(sharing)}});
    Normalize(recipe);
    Instance().behaviour.capsule = {};
    EXPECT_EQ(Run(recipe).imports[0].race, Race::kFair);
    Instance().behaviour.capsule.rests_before_rename = When::Always();
    EXPECT_EQ(Run(recipe).imports[0].race, Race::kReleasedTwice);
  }
}

TEST_F(ReferenceTypeTest, ThreadsThatImportAtTheSameTimeReleaseTheirOwnTensors) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetLife(recipe, {Step{.op = Op::kImportTogether}});
  Normalize(recipe);
  EXPECT_EQ(Run(recipe).imports[0].race, Race::kFair);
  Activate(FindMutant("never-releases"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].race, Race::kNotRun) << "one after the other it does not release them either";
  Activate(FindMutant("keeps-the-tensor-where-threads-meet"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].race, Race::kReleasedTwice);
}

TEST_F(ReferenceTypeTest, ReexportsBytesizedTypesWithoutThePaddedFlag) {
  Recipe recipe = PlainImport(StructKind::kVersioned);
  recipe.offer().minor = 3;
  recipe.offer().flags = abi::kFlagSubbytePadded;
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
  SetLife(recipe, {{.op = Op::kImport}, {.op = Op::kReexport, .other = Other::kSlot1}});
  Normalize(recipe);
  const ExportLedger& again = Run(recipe).exports[1];
  ASSERT_EQ(again.export_call.outcome, Outcome::kAccepted) << again.export_call.message.view();
  EXPECT_EQ(again.flags, 0u);
}

TEST_F(ReferenceTypeTest, ExportsItsArraysAndReleasesThem) {
  Random random(13);
  int exported = 0;
  for (int index = 0; index < 3000; ++index) {
    Recipe recipe = DrawExport(random, index, Tier::kLegal, Limits{});
    Normalize(recipe);
    const ExportLedger& record = Run(recipe).exports[0];
    ASSERT_EQ(ledger_.sources[0].make.outcome, Outcome::kAccepted) << index << ledger_.sources[0].make.message.view();
    if (record.export_call.outcome != Outcome::kAccepted) {
      ASSERT_TRUE(record.export_call.buffer_error) << index << record.export_call.message.view();
      continue;
    }
    ++exported;
    ASSERT_EQ(record.elements.reading, Reading::kMatches) << index;
    ASSERT_TRUE(record.deleted) << index;
    ASSERT_TRUE(ledger_.sources[0].alive_known);
    ASSERT_FALSE(ledger_.sources[0].alive_at_end) << index;
    ASSERT_EQ(record.changed_parts, 0u) << index;
  }
  EXPECT_GT(exported, 1000);
}

TEST_F(ReferenceTypeTest, MutantIsDetected) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().byte_offset = 16;
  SetPlainLife(recipe);
  Normalize(recipe);
  EXPECT_EQ(Run(recipe).imports[0].library.reading, Reading::kMatches);
  Activate(FindMutant("never-releases"), Instance());
  EXPECT_TRUE(SafetyOf(recipe, Run(recipe)).leak);
  Activate(FindMutant("releases-twice"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].deleter.calls, 2);
  Activate(FindMutant("does-not-rename"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].name_after, Run(recipe).imports[0].name_before);
}

TEST_F(ReferenceTypeTest, MutantAndReferenceExistAtTheSameTime) {
  Subject* const mutant = OpenAnother();
  Engine beside(*mutant);
  std::vector<Recipe> recipes;
  Random random(4);
  for (int index = 0; index < 100; ++index) {
    recipes.push_back(DrawImport(random, index, Tier::kLegal, Limits{}));
    Normalize(recipes.back());
  }
  const auto same = [](const ImportLedger& a, const ImportLedger& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; };
  Ledger changed;
  for (const char* name : {"ignores-byte-offset", "releases-twice", "does-not-rename"}) {
    Activate(FindMutant(name), *mutant->AsReference());
    std::vector<ImportLedger> correct;
    std::vector<ImportLedger> alone;
    for (const Recipe& recipe : recipes) correct.push_back(Run(recipe).imports[0]);
    for (const Recipe& recipe : recipes) {
      beside.Run(recipe, changed);
      alone.push_back(changed.imports[0]);
    }
    int differ = 0;
    for (size_t i = 0; i < recipes.size(); ++i) {
      beside.Run(recipes[i], changed);
      ASSERT_TRUE(same(changed.imports[0], alone[i])) << name << ", recipe " << i;
      ASSERT_TRUE(same(Run(recipes[i]).imports[0], correct[i])) << name << ", recipe " << i;
      differ += same(correct[i], alone[i]) ? 0 : 1;
    }
    EXPECT_GT(differ, 0) << name;
  }
}

TEST_F(ReferenceTypeTest, EachInstanceHasItsOwnTypeAndTable) {
  Subject* const other = OpenAnother();
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  SetLife(recipe, {Op::kMake, Op::kTableFind, Op::kTableExport, Op::kReadExport});
  Normalize(recipe);
  Ledger beside;
  Engine(*other).Run(recipe, beside);
  const Ledger& mine = Run(recipe);
  EXPECT_EQ(mine.tables[0].found, 1);
  EXPECT_EQ(beside.tables[0].found, 1);
  EXPECT_NE(mine.tables[0].address, beside.tables[0].address);
  EXPECT_EQ(beside.exports[0].elements.reading, Reading::kMatches);
  EXPECT_EQ(Instance().live_exports, 0);
  EXPECT_EQ(other->AsReference()->live_exports, 0);
}

TEST_F(ReferenceTypeTest, InstanceImportsArraysOfAnotherInstance) {
  Subject* const mutant = OpenAnother();
  mutant->AsReference()->behaviour.owning.leaks = When::Always();
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  SetLife(recipe, {Op::kMake, Op::kImportSource, Op::kRead});
  Normalize(recipe);
  Engine(*mutant, OpenedReference()).Run(recipe, ledger_);
  EXPECT_EQ(ledger_.imports[0].library.reading, Reading::kMatches);
  EXPECT_EQ(mutant->AsReference()->live_exports, 0) << "the importing instance releases";
  Engine(OpenedReference(), *mutant).Run(recipe, ledger_);
  EXPECT_EQ(Instance().live_exports, 1) << "the mutant never does";
}

TEST_F(ReferenceTypeTest, StepsRunInTheirContexts) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  for (const Context context : {Context::kRawThread, Context::kPendingException, Context::kCollection}) {
    SetLife(recipe, {{.op = Op::kImport},
                     {.op = Op::kDropCapsule},
                     {.op = Op::kDropProducer},
                     {.op = Op::kDropArray, .context = context}});
    Normalize(recipe);
    const DeleterLedger& deleter = Run(recipe).imports[0].deleter;
    EXPECT_EQ(deleter.calls, 1);
    EXPECT_EQ(deleter.on_other_thread, context == Context::kRawThread ? 1 : 0);
    EXPECT_EQ(deleter.without_gil, 0);
  }
  Recipe exported = MakeRecipe(RecipeKind::kExport);
  SetLife(exported,
          {{.op = Op::kMake}, {.op = Op::kExport}, {.op = Op::kLoseCapsule, .context = Context::kPendingException}});
  Normalize(exported);
  EXPECT_EQ(Run(exported).exports[0].pending_exception, Survival::kSurvived);
  Instance().behaviour.capsule.destructor_clears_error = When::Always();
  EXPECT_EQ(Run(exported).exports[0].pending_exception, Survival::kLost);
}

TEST_F(ReferenceTypeTest, SecondImportOfAnObjectMayReturnTheArrayOfTheFirst) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().gives = Gives::kEarlierObject;
  SetLife(recipe, {{.op = Op::kImport}, {.op = Op::kImport, .slot = 1}, {.op = Op::kRead, .slot = 1}});
  Normalize(recipe);
  Activate(FindMutant("returns-its-latest-import-again"), Instance());
  EXPECT_EQ(Run(recipe).imports[1].library.reading, Reading::kDiffers);
  EXPECT_EQ(ledger_.imports[1].producer_calls, 0);
  Activate(FindMutant("returns-one-array-for-one-tensor"), Instance());
  EXPECT_EQ(Run(recipe).imports[1].library.reading, Reading::kMatches);
  SetLife(recipe, {{.op = Op::kImport}, {.op = Op::kImportAgain}});
  EXPECT_EQ(Run(recipe).imports[0].deleter.calls, 2);
  EXPECT_EQ(ledger_.imports[0].released, 1);
}

TEST_F(ReferenceTypeTest, ArrayOfTheTableThatIsStillReferencedStays) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetLife(recipe, {{.op = Op::kMake}, {.op = Op::kTableImport}, {.op = Op::kDropArray}});
  Normalize(recipe);
  EXPECT_EQ(Run(recipe).imports[0].stays, Answer::kNo);
  EXPECT_EQ(ledger_.imports[0].released, 1);
  Activate(FindMutant("table-imports-have-a-reference-too-many"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].stays, Answer::kYes);
  EXPECT_EQ(ledger_.imports[0].released, 0);
  Activate(FindMutant("table-imports-stay"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].stays, Answer::kNo) << "the array is gone, and its tensor is not released";
  EXPECT_EQ(ledger_.imports[0].released, 0);
  Activate(FindMutant("table-caches-copies"), Instance());
  EXPECT_EQ(Run(recipe).imports[0].stays, Answer::kNo) << "the copy does not need the tensor";
  EXPECT_EQ(ledger_.imports[0].released, 1);
}

TEST_F(ReferenceTypeTest, EachSourceIsWatchedSeparately) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kMake, .slot = 1},
                   {.op = Op::kExport, .slot = 0, .other = Other::kSlot1},
                   {.op = Op::kAskDevice, .other = Other::kSlot1},
                   {.op = Op::kTableFind, .other = Other::kSlot1}});
  Normalize(recipe);
  Run(recipe);
  EXPECT_EQ(ledger_.sources[0].device_call.outcome, Outcome::kNotRun);
  EXPECT_EQ(ledger_.sources[1].device_call.outcome, Outcome::kAccepted);
  EXPECT_EQ(ledger_.tables[1].found, 1);
  EXPECT_EQ(ledger_.tables[0].looked, 0);
  Instance().behaviour.exporting.deleter_leaks = When::Always();
  Run(recipe);
  EXPECT_EQ(ledger_.sources[0].alive_at_end, 0);
  EXPECT_EQ(ledger_.sources[1].alive_at_end, 1) << "the one that was exported";
}

TEST_F(ReferenceTypeTest, LanesHoldTheGilWhileTheyCallTheLibrary) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetLife(recipe, {{.op = Op::kImport, .slot = 0, .lane = 1},
                   {.op = Op::kImport, .slot = 1, .lane = 2},
                   {.op = Op::kImport, .slot = 2, .lane = 3},
                   {.op = Op::kImport, .slot = 3},
                   {.op = Op::kRead, .slot = 0, .lane = 1},
                   {.op = Op::kRead, .slot = 1, .lane = 2},
                   {.op = Op::kDropArray, .slot = 2, .lane = 1},
                   {.op = Op::kDropArray, .slot = 0, .lane = 3},
                   {.op = Op::kCollect},
                   {.op = Op::kDropArray, .slot = 3, .lane = 2}});
  Normalize(recipe);
  for (int round = 0; round < 50; ++round) {
    Run(recipe);
    for (int slot = 0; slot < kSlots; ++slot) {
      ASSERT_EQ(ledger_.imports[slot].import.outcome, Outcome::kAccepted);
      ASSERT_EQ(ledger_.imports[slot].deleter.calls, 1);
      ASSERT_EQ(ledger_.imports[slot].deleter.without_gil, 0);
    }
  }
}

}  // namespace
}  // namespace dlpack_cts
