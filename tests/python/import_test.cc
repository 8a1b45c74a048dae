// tests/python/import_test.cc: the fake producer, its capsules, and what the ledger says of an import.
#include <cstring>

#include "tests/python/bridge_test.h"

namespace dlpack_cts {
namespace {

/// Every read gave the right elements, and the deleter ran once for each exported tensor.
void ExpectImported(const ImportLedger& import) {
  EXPECT_EQ(import.import.outcome, Outcome::kAccepted) << import.import.type.view() << import.import.message.view();
  EXPECT_EQ(import.result.valid, 1);
  EXPECT_EQ(import.memory.reading, Reading::kMatches);
  EXPECT_EQ(import.library.reading, Reading::kMatches);
  EXPECT_EQ(import.deleter.calls, import.capsules);
  EXPECT_EQ(import.released, 1);
}

TEST_F(BridgeTest, VersionedMatrixIsImportedAndReleasedOnce) {
  const ImportLedger& import = Run(ImportMatrix()).imports[0];
  ExpectImported(import);
  EXPECT_EQ(import.capsules, 1);
  EXPECT_TRUE(import.Aliases());
  EXPECT_EQ(import.name_before, NameSeen::kVersioned);
  EXPECT_EQ(import.name_after, NameSeen::kUsedVersioned);
  EXPECT_EQ(import.capsule_pointer_changed + import.capsule_context_changed, 0);
  EXPECT_EQ(import.result.ndim, 2);
  EXPECT_EQ(import.result.shape[1], 3);
  EXPECT_EQ(import.result.dtype_name.view(), "float32");
}

TEST_F(BridgeTest, LegacyMatrixIsImportedAndReleasedOnce) {
  Recipe recipe = ImportMatrix();
  recipe.offer().kind = StructKind::kLegacy;
  recipe.offer().strides_kind = StridesKind::kNull;
  const ImportLedger& import = Run(recipe).imports[0];
  ExpectImported(import);
  EXPECT_EQ(import.name_after, NameSeen::kUsedLegacy);
}

TEST_F(BridgeTest, KeywordsOfTheCallAreRecorded) {
  const ImportLedger& import = Run(ImportMatrix()).imports[0];
  const ProducerCall* last = nullptr;
  for (int i = 0; i < import.producer_calls; ++i) {
    if (import.calls[i].is_device == 0) last = &import.calls[i];
  }
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->max_version.kind, ArgumentKind::kPair);
  EXPECT_EQ(last->max_version.a, 1);
  EXPECT_EQ(last->positional, 0);
  EXPECT_EQ(last->raised, 0);
}

TEST_F(BridgeTest, CopyKeywordReachesTheProducer) {
  Recipe recipe = ImportMatrix();
  recipe.call().copy.kind = ArgumentKind::kFalse;
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.import.outcome, Outcome::kAccepted) << import.import.message.view();
  EXPECT_EQ(import.deleter.calls, 1);
}

TEST_F(BridgeTest, TypeOfAnObjectWithoutMethodsLacksThem) {
  Recipe recipe = ImportMatrix();
  for (const Gives gives : {Gives::kDeviceAlone, Gives::kNoMethods}) {
    recipe.offer().gives = gives;
    const ImportLedger& import = Run(recipe).imports[0];
    EXPECT_EQ(import.import.outcome, Outcome::kRefused);
    EXPECT_EQ(import.import.type.view(), "AttributeError");
    EXPECT_EQ(import.producer_calls, 0);
  }
}

TEST_F(BridgeTest, ProducerWithoutKeywordsIsCalledAgain) {
  Recipe recipe = ImportMatrix();
  recipe.offer().kind = StructKind::kLegacy;
  recipe.offer().keywords = kNoKeywords;
  const ImportLedger& import = Run(recipe).imports[0];
  ExpectImported(import);
  EXPECT_GE(import.producer_calls, 2);
  EXPECT_EQ(import.capsules, 1);
}

TEST_F(BridgeTest, BufferErrorOfTheProducerReachesTheCaller) {
  Recipe recipe = ImportMatrix();
  recipe.offer().gives = Gives::kBufferError;
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.import.outcome, Outcome::kRefused);
  EXPECT_EQ(import.import.type.view(), "BufferError");
  EXPECT_EQ(import.import.buffer_error, 1);
  EXPECT_EQ(import.import.message.view(), "this producer refuses to export");
  EXPECT_EQ(import.capsules, 0);
  EXPECT_EQ(import.deleter.calls, 0);
}

TEST_F(BridgeTest, NegotiatingProducerReturnsTheRequestedKind) {
  Recipe recipe = ImportMatrix();
  recipe.offer().keywords = kNegotiates;
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.name_before, NameSeen::kVersioned);
  for (int i = 0; i < import.producer_calls; ++i) {
    const ProducerCall& call = import.calls[i];
    if (call.is_device != 0 || call.max_version.kind != ArgumentKind::kAbsent) continue;
    EXPECT_EQ(call.raised, 1);
  }
}

TEST_F(BridgeTest, RefusedCapsuleReleasesThroughItsDestructor) {
  Recipe recipe = ImportMatrix();
  recipe.offer().dtype = {abi::kDLOpaqueHandle, 64, 1};
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.import.outcome, Outcome::kRefused);
  EXPECT_EQ(import.capsules, 1);
  EXPECT_EQ(import.deleter.calls, 1);
  EXPECT_EQ(import.deleter.from_destructor, 1);
}

TEST_F(BridgeTest, CapsuleWithoutDestructorIsNotReleasedByTheHarness) {
  Recipe recipe = ImportMatrix();
  recipe.offer().dtype = {abi::kDLOpaqueHandle, 64, 1};
  recipe.offer().destructor = DestructorKind::kNone;
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.import.outcome, Outcome::kRefused);
  EXPECT_EQ(import.deleter.from_destructor, 0);
}

TEST_F(BridgeTest, CapsuleWithAnotherNameIsRefusedAndUnchanged) {
  for (const CapsuleName name :
       {CapsuleName::kUsed, CapsuleName::kForeign, CapsuleName::kTrailingSpace, CapsuleName::kNone}) {
    Recipe recipe = ImportMatrix();
    recipe.offer().name = name;
    const ImportLedger& import = Run(recipe).imports[0];
    EXPECT_EQ(import.import.outcome, Outcome::kRefused) << static_cast<int>(name);
    EXPECT_EQ(import.deleter.calls, 0) << static_cast<int>(name);
    EXPECT_EQ(import.name_after, import.name_before) << static_cast<int>(name);
  }
}

TEST_F(BridgeTest, StoredCapsuleIsRefusedTheSecondTime) {
  Recipe recipe = ImportMatrix();
  recipe.offer().gives = Gives::kStored;
  AddStep(recipe, Op::kImportAgain);
  const ImportLedger& import = Run(recipe).imports[0];
  ExpectImported(import);
  EXPECT_EQ(import.again.outcome, Outcome::kRefused);
  EXPECT_EQ(import.capsules, 1);
}

TEST_F(BridgeTest, OneProducerExportsTheTensorsOfTwoImports) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().gives = Gives::kEarlierObject;
  for (const int slot : {0, 1}) {
    AddStep(recipe, Op::kImport, slot);
    AddStep(recipe, Op::kDescribe, slot);
    AddStep(recipe, Op::kRead, slot);
  }
  const Ledger& ledger = Run(recipe);
  for (const int slot : {0, 1}) {
    ExpectImported(ledger.imports[slot]);
    EXPECT_EQ(ledger.imports[slot].capsules, 1);
    EXPECT_TRUE(ledger.imports[slot].Aliases()) << "each array lies in the memory of its own tensor";
  }
}

TEST_F(BridgeTest, DeleterDropsAnotherArray) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().deleter = DeleterKind::kDropsAnother;
  for (const int slot : {0, 1}) AddStep(recipe, Op::kImport, slot);
  AddStep(recipe, Op::kDropArray, 1);
  AddStep(recipe, Op::kRead, 0);
  const Ledger& ledger = Run(recipe);
  for (const int slot : {0, 1}) EXPECT_EQ(ledger.imports[slot].deleter.calls, 1) << slot;
  EXPECT_NE(ledger.imports[0].library.reading, Reading::kMatches) << "the array was dropped before the last step";
}

TEST_F(BridgeTest, DeviceMayConsistOfObjectsOfOtherClasses) {
  for (const Gives gives : {Gives::kEnumForDevice, Gives::kSubclassForDevice, Gives::kIndexForDevice}) {
    Recipe recipe = ImportMatrix();
    recipe.offer().gives = gives;
    ExpectImported(Run(recipe).imports[0]);
  }
}

TEST_F(BridgeTest, ProducersMayHaveClassesOfTheirOwn) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().gives = Gives::kOwnClass;
  for (const int slot : {0, 1}) {
    AddStep(recipe, Op::kImport, slot);
    AddStep(recipe, Op::kDescribe, slot);
    AddStep(recipe, Op::kRead, slot);
  }
  const Ledger& ledger = Run(recipe);
  for (const int slot : {0, 1}) ExpectImported(ledger.imports[slot]);
}

TEST_F(BridgeTest, ProducerMakesANewTensorAfterTheRelease) {
  Recipe recipe = ImportMatrix();
  AddStep(recipe, Op::kDropArray);
  AddStep(recipe, Op::kImportAgain);
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.again.outcome, Outcome::kAccepted) << import.again.message.view();
  EXPECT_EQ(import.capsules, 2);
  EXPECT_EQ(import.deleter.calls, 2);
}

TEST_F(BridgeTest, FourImportsExistAtTheSameTime) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  for (int slot = 0; slot < kSlots; ++slot) AddStep(recipe, Op::kImport, slot);
  for (int slot = 0; slot < kSlots; ++slot) AddStep(recipe, Op::kRead, slot);
  const Ledger& ledger = Run(recipe);
  for (const ImportLedger& import : ledger.imports) ExpectImported(import);
}

TEST_F(BridgeTest, ViewOutlivesTheArray) {
  Recipe recipe = ImportMatrix();
  AddStep(recipe, Op::kTakeView);
  AddStep(recipe, Op::kCollect);
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.view.reading, Reading::kMatches);
  EXPECT_EQ(import.deleter.calls_while_alive, 0);
  EXPECT_EQ(import.released, 1);
}

TEST_F(BridgeTest, ArrayDroppedOnAnotherThreadIsReleased) {
  Recipe recipe = ImportMatrix();
  AddStep(recipe, {.op = Op::kDropArray, .lane = 1, .barrier = 1});
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.released, 1);
  EXPECT_EQ(import.deleter.on_other_thread, 1);
}

TEST_F(BridgeTest, WritesAreVisibleToBothSides) {
  Recipe recipe = ImportMatrix();
  AddStep(recipe, {.op = Op::kWriteSource, .argument = 2});
  AddStep(recipe, {.op = Op::kWriteArray, .argument = 4});
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.write_source, WriteShown::kShown);
  EXPECT_EQ(import.write_array, WriteShown::kShown);
  EXPECT_EQ(import.changed_bytes, 0);
}

TEST_F(BridgeTest, EveryDtypeReadsEquallyInThreeWaysOrIsRefused) {
  for (const NamedDataType& type : DataTypes()) {
    Recipe recipe = ImportMatrix();
    recipe.offer().dtype = type.dtype;
    AddStep(recipe, Op::kCompute);
    const ImportLedger& import = Run(recipe).imports[0];
    EXPECT_EQ(import.deleter.calls, 1) << type.name;
    if (import.import.outcome == Outcome::kRefused) continue;
    EXPECT_EQ(import.result.dtype_name.view(), type.name);
    EXPECT_EQ(import.library.reading, Reading::kMatches) << type.name;
    EXPECT_EQ(import.memory.reading, Reading::kMatches) << type.name;
    const Reading computed = import.computed.reading;
    EXPECT_TRUE(computed == Reading::kMatches || computed == Reading::kUnsupported) << type.name;
  }
}

TEST_F(BridgeTest, ScalarsAndEmptyArraysAreRead) {
  Recipe recipe = ImportMatrix();
  recipe.offer().dims = 0;
  recipe.offer().ndim = 0;
  ExpectImported(Run(recipe).imports[0]);
  recipe = ImportMatrix();
  recipe.offer().shape[0] = 0;
  const ImportLedger& import = Run(recipe).imports[0];
  EXPECT_EQ(import.import.outcome, Outcome::kAccepted) << import.import.message.view();
  EXPECT_EQ(import.library.reading, Reading::kMatches);
}

}  // namespace
}  // namespace dlpack_cts
