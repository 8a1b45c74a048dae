// tests/native/engine_test.cc: the reference behind the plug-in table fills the ledger as a library should.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "mutants/mutant.h"
#include "reference/plugin.h"
#include "subject/native_loader.h"
#include "subject/native_subject.h"

namespace dlpack_cts {
namespace {

class NativeSubjectTest : public testing::Test {
 protected:
  void SetUp() override { Forge::InstallFaultHandler(); }

  const Ledger& Run(const Recipe& recipe) { return Run(ReferencePlugin(reference_), recipe); }

  const Ledger& Run(const dlpack_cts_plugin_table& table, const Recipe& recipe) {
    NativeSubject subject(table, &reference_);
    Engine(subject).Run(recipe, ledger_);
    return ledger_;
  }

  static Recipe PlainImport() {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().kind = StructKind::kVersioned;
    recipe.offer().major = 1;
    recipe.offer().dims = 2;
    recipe.offer().ndim = 2;
    recipe.offer().shape[0] = 2;
    recipe.offer().shape[1] = 3;
    recipe.offer().strides_kind = StridesKind::kCompact;
    AddStep(recipe, Op::kImport);
    AddStep(recipe, Op::kRead);
    Normalize(recipe);
    return recipe;
  }

  static Recipe PlainExport() {
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    recipe.request().dims = 1;
    recipe.request().shape[0] = 4;
    recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
    AddStep(recipe, Op::kMake);
    AddStep(recipe, Op::kExport);
    AddStep(recipe, Op::kTakeCapsule);
    AddStep(recipe, Op::kDropSource);
    AddStep(recipe, Op::kReadExport);
    AddStep(recipe, {.op = Op::kDelete, .context = Context::kRawThread});
    Normalize(recipe);
    return recipe;
  }

  Reference reference_;
  Ledger ledger_{};
};

TEST_F(NativeSubjectTest, LegalTensorsAreReleasedOnceAndReadCorrectly) {
  Random random(5);
  int accepted = 0;
  for (int index = 0; index < 2000; ++index) {
    Recipe recipe = DrawImport(random, index, Tier::kLegal, Limits{});
    Normalize(recipe);
    const ImportLedger& record = Run(recipe).imports[0];
    const Safety safety = SafetyOf(recipe, ledger_);
    ASSERT_FALSE(safety.unsafe || safety.leak) << ToJson(recipe);
    if (record.capsules == 1 && recipe.offer().deleter == DeleterKind::kCounting) {
      ASSERT_EQ(record.deleter.calls, 1) << ToJson(recipe);
    }
    ASSERT_NE(record.library.reading, Reading::kDiffers) << ToJson(recipe);
    accepted += record.import.outcome == Outcome::kAccepted;
  }
  EXPECT_GT(accepted, 500);
}

TEST_F(NativeSubjectTest, AnImportIsConsumedAndAliasesTheMemory) {
  const ImportLedger& record = Run(PlainImport()).imports[0];
  EXPECT_EQ(record.import.outcome, Outcome::kAccepted);
  EXPECT_EQ(record.name_after, NameSeen::kUsedVersioned);
  EXPECT_EQ(record.memory.reading, Reading::kMatches);
  EXPECT_EQ(record.library.reading, Reading::kMatches);
  EXPECT_TRUE(record.Aliases());
  EXPECT_EQ(record.deleter.calls_in_import, 0);
}

TEST_F(NativeSubjectTest, OnlyBlocksThatStepsNameAreUsed) {
  Run(PlainExport());
  EXPECT_TRUE(ledger_.exports.Used(0) && ledger_.sources.Used(0));
  EXPECT_FALSE(ledger_.exports.Used(1) || ledger_.imports.Used(0) || ledger_.tables.Used(0));
  Run(PlainImport());
  EXPECT_TRUE(ledger_.imports.Used(0));
  for (int slot = 0; slot < kSlots; ++slot) {
    EXPECT_FALSE(ledger_.exports.Used(slot) || ledger_.sources.Used(slot) || ledger_.tables.Used(slot)) << slot;
  }
}

TEST_F(NativeSubjectTest, AddressesAreRelativeToElementZero) {
  const Location import = Run(PlainImport()).imports[0].place;
  EXPECT_EQ(import.area, Area::kData);
  EXPECT_EQ(import.offset, 0);
  const Location exported = Run(PlainExport()).exports[0].place;
  EXPECT_EQ(exported.area, Area::kData);
  EXPECT_EQ(exported.offset, 0);
  Recipe again = PlainImport();
  SetLife(again, {{Op::kImport}, {Op::kDescribe}, {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1}});
  const Ledger& ledger = Run(again);
  EXPECT_EQ(ledger.exports[1].place.area, Area::kData) << "its place is in the offered memory";
  EXPECT_EQ(ledger.exports[1].place.offset, 0);
}

TEST_F(NativeSubjectTest, NoFactDependsOnAddresses) {
  Reference other_reference;
  NativeSubject here(ReferencePlugin(reference_), &reference_);
  NativeSubject there(ReferencePlugin(other_reference), &other_reference);
  Engine one(here);
  Engine two(there);
  Ledger other;
  const Ledger empty;
  Random random(7);
  std::vector<int> rows;
  for (int index = 0; index < 2000; ++index) {
    Recipe recipe = index % 2 == 0 ? DrawImport(random, index, Tier::kEdge, Limits{})
                                   : DrawExport(random, index, Tier::kLegal, Limits{});
    Normalize(recipe);
    one.Run(recipe, ledger_);
    two.Run(recipe, other);
    Differences(ledger_, other, rows);
    for (const int row : rows) {
      const FactRow& fact = FactRowAt(row);
      ASSERT_TRUE(fact.varies) << fact.key << ": " << Fact(ledger_, fact.key) << ", " << Fact(other, fact.key);
    }
    if (index % 20 != 0) continue;
    for (const FactRow& fact : FactRows()) {
      if (IsKnown(fact, ledger_)) continue;
      ASSERT_TRUE(fact.Of(ledger_) == fact.Of(empty))
          << fact.key << " says " << Fact(ledger_, fact.key) << " too early";
    }
  }
}

TEST_F(NativeSubjectTest, RefusedImportHasAReasonAndIsReleased) {
  Recipe recipe = PlainImport();
  recipe.offer().major = 2;
  Normalize(recipe);
  const ImportLedger& record = Run(recipe).imports[0];
  EXPECT_EQ(record.import.outcome, Outcome::kRefused);
  EXPECT_EQ(record.import.buffer_error, 1);
  EXPECT_EQ(record.import.type.view(), "refused");
  EXPECT_FALSE(record.import.message.empty());
  EXPECT_EQ(record.deleter.calls_in_import, 1);
}

TEST_F(NativeSubjectTest, AnExportOutlivesItsArrayAndIsReleasedByItsDeleter) {
  const ExportLedger& record = Run(PlainExport()).exports[0];
  EXPECT_EQ(record.export_call.outcome, Outcome::kAccepted);
  EXPECT_EQ(record.name, NameSeen::kVersioned);
  EXPECT_EQ(record.elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger_.sources[0].alive_known, 1);
  EXPECT_EQ(ledger_.sources[0].alive_at_end, 0);
}

TEST_F(NativeSubjectTest, ExportAfterALostCapsuleIsRecordedAnew) {
  Recipe recipe = PlainExport();
  SetLife(recipe, {{Op::kMake}, {Op::kExport}, {Op::kLoseCapsule}, {Op::kExport}, {Op::kTakeCapsule}, {Op::kDelete}});
  const ExportLedger& record = Run(recipe).exports[0];
  EXPECT_EQ(record.elements.reading, Reading::kMatches);
  EXPECT_EQ(record.deleted, 1);
  EXPECT_EQ(ledger_.sources[0].alive_at_end, 0);
}

TEST_F(NativeSubjectTest, ExportAfterADeletedTensorIsRecordedAnew) {
  Recipe recipe = PlainExport();
  SetLife(recipe, {{Op::kMake},
                   {Op::kExport},
                   {Op::kTakeCapsule},
                   {Op::kDelete},
                   {Op::kLoseCapsule},
                   {Op::kExport},
                   {Op::kInspect}});
  const ExportLedger& record = Run(recipe).exports[0];
  EXPECT_EQ(record.elements.reading, Reading::kMatches);
  EXPECT_EQ(record.deleted, 0);
  EXPECT_EQ(ledger_.sources[0].alive_at_end, 0);
}

TEST_F(NativeSubjectTest, ExportWithoutMaxVersionIsLegacy) {
  Recipe recipe = PlainExport();
  recipe.call().max_version = {};
  EXPECT_EQ(Run(recipe).exports[0].name, NameSeen::kLegacy);
}

TEST_F(NativeSubjectTest, ArgumentsThatOnlyPythonHasAreUnsupported) {
  Recipe recipe = PlainExport();
  recipe.call().stream = {ArgumentKind::kInt, {}, 1, 0};
  EXPECT_EQ(Run(recipe).exports[0].export_call.outcome, Outcome::kUnsupported);
  recipe = PlainImport();
  recipe.call().copy = {ArgumentKind::kString, {}, 0, 0};
  EXPECT_EQ(Run(recipe).imports[0].import.outcome, Outcome::kUnsupported);
  EXPECT_EQ(ledger_.imports[0].capsules, 0);
}

TEST_F(NativeSubjectTest, DefectsOfTheReferenceAppearThroughThePluginTable) {
  Recipe moved = PlainImport();
  moved.offer().byte_offset = 64;
  Normalize(moved);
  Activate(FindMutant("ignores-byte-offset"), reference_);
  EXPECT_NE(Run(moved).imports[0].library.reading, Reading::kMatches);

  reference_.Reset();
  reference_.behaviour.owning.leaks = When::Always();
  EXPECT_TRUE(SafetyOf(PlainImport(), Run(PlainImport())).leak);

  reference_.Reset();
  reference_.behaviour.exporting.deleter_leaks = When::Always();
  Run(PlainExport());
  EXPECT_EQ(ledger_.sources[0].alive_at_end, 1);
}

TEST_F(NativeSubjectTest, AReturnWithoutAValueCountsAsARefusal) {
  dlpack_cts_plugin_table table = ReferencePlugin(reference_);
  table.import_tensor = [](void*, void*, const dlpack_cts_import_options*, dlpack_cts_array*, dlpack_cts_error*) {
    return int{DLPACK_CTS_OK};
  };
  const ImportLedger& record = Run(table, PlainImport()).imports[0];
  EXPECT_EQ(record.import.outcome, Outcome::kRefused);
  EXPECT_EQ(record.import.type.view(), "failed");
  EXPECT_TRUE(SafetyOf(PlainImport(), ledger_).leak);
}

}  // namespace
}  // namespace dlpack_cts
