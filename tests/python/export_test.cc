// tests/python/export_test.cc: what the ledger records of an export, and how long its objects live.
#include "tests/python/bridge_test.h"

namespace dlpack_cts {
namespace {

TEST_F(BridgeTest, ExportedStructDescribesTheArray) {
  const Ledger& ledger = Run(ExportMatrix());
  ASSERT_EQ(ledger.sources[0].make.outcome, Outcome::kAccepted) << ledger.sources[0].make.message.view();
  const ExportLedger& record = ledger.exports[0];
  EXPECT_EQ(record.export_call.outcome, Outcome::kAccepted) << record.export_call.message.view();
  EXPECT_EQ(record.is_capsule, 1);
  EXPECT_EQ(record.name, NameSeen::kVersioned);
  EXPECT_EQ(record.versioned, 1);
  EXPECT_EQ(record.version.major, 1u);
  EXPECT_EQ(record.metadata_readable, 1);
  EXPECT_EQ(record.shape[0], 2);
  EXPECT_EQ(record.shape[1], 3);
  EXPECT_EQ(record.elements.reading, Reading::kMatches);
  EXPECT_EQ(record.has_deleter, 1);
}

TEST_F(BridgeTest, ExportWithoutMaxVersionIsLegacy) {
  Recipe recipe = ExportMatrix();
  recipe.call().max_version = {};
  const ExportLedger& record = Run(recipe).exports[0];
  EXPECT_EQ(record.name, NameSeen::kLegacy);
  EXPECT_EQ(record.versioned, 0);
  EXPECT_EQ(record.elements.reading, Reading::kMatches);
}

TEST_F(BridgeTest, TakenTensorOutlivesItsSourceAndIsDeleted) {
  Recipe recipe = ExportMatrix();
  AddStep(recipe, Op::kTakeCapsule);
  AddStep(recipe, Op::kDropSource);
  AddStep(recipe, Op::kCollect);
  AddStep(recipe, Op::kReadExport);
  AddStep(recipe, Op::kDelete);
  const Ledger& ledger = Run(recipe);
  EXPECT_EQ(ledger.exports[0].elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger.exports[0].deleted, 1);
  EXPECT_EQ(ledger.sources[0].alive_known, 1);
  EXPECT_EQ(ledger.sources[0].alive_at_end, 0);
}

TEST_F(BridgeTest, DeleterMayRunOnARawThread) {
  Recipe recipe = ExportMatrix();
  AddStep(recipe, Op::kTakeCapsule);
  AddStep(recipe, {.op = Op::kDelete, .context = Context::kRawThread});
  const Ledger& ledger = Run(recipe);
  EXPECT_EQ(ledger.exports[0].deleted, 1);
  EXPECT_EQ(ledger.sources[0].alive_at_end, 0);
}

TEST_F(BridgeTest, UnknownKeywordReachesTheLibrary) {
  Recipe recipe = ExportMatrix();
  recipe.call().unknown_keyword = 1;
  const ExportLedger& record = Run(recipe).exports[0];
  EXPECT_EQ(record.export_call.outcome, Outcome::kRefused);
  EXPECT_EQ(record.export_call.type_error, 1);
  EXPECT_NE(record.export_call.message.view().find("nonsense"), std::string_view::npos);
}

TEST_F(BridgeTest, EveryKindOfArgumentReachesTheLibrary) {
  for (int kind = 1; kind <= static_cast<int>(ArgumentKind::kIndexInt); ++kind) {
    Recipe recipe = ExportMatrix();
    recipe.call().max_version = Argument{static_cast<ArgumentKind>(kind), {}, 1, 0};
    const Outcome outcome = Run(recipe).exports[0].export_call.outcome;
    EXPECT_TRUE(outcome == Outcome::kAccepted || outcome == Outcome::kRefused) << kind;
  }
}

TEST_F(BridgeTest, DeviceIsAPairOfIntegers) {
  Recipe recipe = ExportMatrix();
  AddStep(recipe, Op::kAskDevice);
  const SourceLedger& source = Run(recipe).sources[0];
  EXPECT_EQ(source.device_call.outcome, Outcome::kAccepted);
  EXPECT_EQ(source.device_is_pair, 1);
  EXPECT_EQ(source.device_type_is_int, 1);
  EXPECT_EQ(source.device_id_is_int, 1);
  EXPECT_EQ(source.device.device_type, abi::kDLCPU);
}

TEST_F(BridgeTest, DestructorKeepsThePendingException) {
  // A Python destructor cannot run with an exception pending; the toy's capsules have none.
  Recipe recipe = ExportMatrix();
  AddStep(recipe, {.op = Op::kLoseCapsule, .context = Context::kPendingException});
  const Ledger& ledger = Run(recipe);
  EXPECT_EQ(ledger.exports[0].pending_exception, Survival::kSurvived);
}

TEST_F(BridgeTest, ReexportOfAnImportShowsTheSameElements) {
  Recipe recipe = ImportMatrix();
  recipe.call().max_version = Argument{ArgumentKind::kPair, {}, 1, 3};
  AddStep(recipe, {.op = Op::kReexport, .other = Other::kSlot1});
  AddStep(recipe, Op::kTakeCapsule, 1);
  AddStep(recipe, Op::kDropArray);
  AddStep(recipe, Op::kCollect);
  const Ledger& ledger = Run(recipe);
  EXPECT_EQ(ledger.exports[1].elements.reading, Reading::kMatches);
  EXPECT_EQ(ledger.imports[0].released, 1);
}

TEST_F(BridgeTest, EveryElementTypeIsMadeOrNotSupported) {
  for (const NamedDataType& type : DataTypes()) {
    Recipe recipe = ExportMatrix();
    recipe.request().dtype = type.dtype;
    AddStep(recipe, Op::kReadSource);
    AddStep(recipe, Op::kUseSource);
    const Ledger& ledger = Run(recipe);
    if (ledger.sources[0].make.outcome == Outcome::kUnsupported) continue;
    ASSERT_EQ(ledger.sources[0].make.outcome, Outcome::kAccepted) << type.name << ledger.sources[0].make.message.view();
    EXPECT_EQ(ledger.sources[0].description.dtype_name.view(), type.name);
    EXPECT_EQ(ledger.sources[0].elements.reading, Reading::kMatches) << type.name;
    if (ledger.exports[0].export_call.outcome == Outcome::kAccepted) {
      EXPECT_EQ(ledger.exports[0].elements.reading, Reading::kMatches) << type.name;
    }
  }
}

TEST_F(BridgeTest, LayoutsAreMadeAsRequested) {
  for (const Making making : {Making::kFresh, Making::kView}) {
    Recipe recipe = ExportMatrix();
    recipe.request().making = making;
    recipe.request().strides_kind = StridesKind::kExplicit;
    recipe.request().strides[0] = 2;
    recipe.request().strides[1] = 6;
    recipe.request().offset = 5;
    const Ledger& ledger = Run(recipe);
    ASSERT_EQ(ledger.sources[0].make.outcome, Outcome::kAccepted) << ledger.sources[0].make.message.view();
    EXPECT_EQ(ledger.sources[0].description.byte_strides[1], 24);
    EXPECT_EQ(ledger.exports[0].elements.reading, Reading::kMatches);
  }
}

TEST_F(BridgeTest, UnusualArraysHaveTheRequestedElementsOrAreUnsupported) {
  for (const Oddity oddity : {Oddity::kForeignByteOrder, Oddity::kUnalignedStride, Oddity::kConjugate, Oddity::kNegated,
                              Oddity::kRequiresGrad, Oddity::kSubclass}) {
    Recipe recipe = ExportMatrix();
    recipe.request().oddity = oddity;
    recipe.request().offset = 3;
    recipe.request().dtype = {oddity == Oddity::kRequiresGrad ? abi::kDLFloat : abi::kDLComplex, 64, 1};
    AddStep(recipe, Op::kReadSource);
    const SourceLedger& source = Run(recipe).sources[0];
    if (source.make.outcome == Outcome::kUnsupported) continue;
    EXPECT_EQ(source.make.outcome, Outcome::kAccepted) << source.make.message.view();
    EXPECT_EQ(source.elements.reading, Reading::kMatches) << static_cast<int>(oddity);
  }
}

TEST_F(BridgeTest, ReadOnlyArraysAreMadeOrNotSupported) {
  Recipe recipe = ExportMatrix();
  recipe.request().read_only = 1;
  const Ledger& ledger = Run(recipe);
  if (ledger.sources[0].make.outcome == Outcome::kUnsupported) return;
  EXPECT_EQ(ledger.sources[0].make.outcome, Outcome::kAccepted) << ledger.sources[0].make.message.view();
  EXPECT_EQ(ledger.sources[0].description.writable, Answer::kNo);
}

TEST_F(BridgeTest, ScalarsAndEmptyArraysAreMade) {
  for (const int dims : {0, 2}) {
    Recipe recipe = ExportMatrix();
    recipe.request().dims = static_cast<uint8_t>(dims);
    recipe.request().shape[0] = 0;
    AddStep(recipe, Op::kReadSource);
    const Ledger& ledger = Run(recipe);
    ASSERT_EQ(ledger.sources[0].make.outcome, Outcome::kAccepted) << ledger.sources[0].make.message.view();
    EXPECT_EQ(ledger.sources[0].elements.reading, Reading::kMatches) << dims;
    EXPECT_EQ(ledger.exports[0].elements.reading, Reading::kMatches) << dims;
  }
}

}  // namespace
}  // namespace dlpack_cts
