// tests/native/reading_test.cc: elements that cannot be read are not requested.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/steps.h"
#include "harness/recipe/normalize.h"
#include "reference/plugin.h"
#include "subject/exported_tensor.h"
#include "subject/native_subject.h"

namespace dlpack_cts {
namespace {

/// Describes its arrays as the test sets it, and counts the reads of elements.
class Told : public NativeSubject {
 public:
  using NativeSubject::NativeSubject;

  abi::DLDevice device = {abi::kDLCPU, 0};
  int64_t extent = -1;  // of every dimension; -1: as it is
  int asked = 0;
  int writes = 0;
  bool computes_onto_device = false;
  bool views_onto_device = false;
  Handle elsewhere = nullptr;

  void Describe(Handle array, Description& description) override {
    NativeSubject::Describe(array, description);
    description.device = array == elsewhere ? abi::DLDevice{abi::kDLCUDA, 0} : device;
    for (int d = 0; extent >= 0 && d < description.ndim; ++d) description.shape[d] = extent;
  }
  int64_t Values(Handle array, std::span<uint8_t> out) override {
    ++asked;
    EXPECT_NE(array, elsewhere);
    return NativeSubject::Values(array, out);
  }
  Handle Derive(Hook hook, Handle array) override {
    if (hook == Hook::kCompute) ++asked;
    Handle derived = NativeSubject::Derive(hook, array);
    if (hook == Hook::kCompute ? computes_onto_device : views_onto_device) elsewhere = derived;
    return derived;
  }
  void Drop(Handle array) override {
    if (array == elsewhere) elsewhere = nullptr;
    NativeSubject::Drop(array);
  }
  bool Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) override {
    ++asked;
    ++writes;
    EXPECT_NE(array, elsewhere);
    return NativeSubject::Write(array, index, bits, refusal);
  }
};

class ReadingTest : public testing::Test {
 protected:
  static Recipe Import(std::initializer_list<Op> life) {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().kind = StructKind::kVersioned;
    recipe.offer().dims = 2;
    recipe.offer().ndim = 2;
    recipe.offer().shape[0] = 2;
    recipe.offer().shape[1] = 3;
    recipe.offer().strides_kind = StridesKind::kCompact;
    SetLife(recipe, life);
    return recipe;
  }

  const ImportLedger& RunImport(std::initializer_list<Op> life = {Op::kImport, Op::kRead, Op::kCompute,
                                                                  Op::kWriteSource, Op::kWriteArray, Op::kTakeView}) {
    return Run(Import(life)).imports[0];
  }

  const SourceLedger& RunExport() {
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    recipe.request().dims = 1;
    recipe.request().shape[0] = 4;
    recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 3};
    SetLife(recipe, {Op::kMake, Op::kExport, Op::kWriteExport, Op::kReadSource, Op::kUseSource});
    return Run(recipe).sources[0];
  }

  const Ledger& Run(Recipe recipe) {
    Normalize(recipe);
    Engine(subject_).Run(recipe, ledger_);
    return ledger_;
  }

  Reference reference_;
  Told subject_{ReferencePlugin(reference_), &reference_};
  Ledger ledger_{};
};

TEST_F(ReadingTest, HostElementsAreRead) {
  const ImportLedger& record = RunImport();
  EXPECT_EQ(record.memory.reading, Reading::kMatches);
  EXPECT_EQ(record.library.reading, Reading::kMatches);
  EXPECT_EQ(record.computed.reading, Reading::kMatches);
  EXPECT_EQ(record.write_source, WriteShown::kShown);
  EXPECT_EQ(record.write_array, WriteShown::kShown);
  EXPECT_GT(subject_.asked, 0);
}

TEST_F(ReadingTest, EmptyExportIsReadableWhateverItsStridesAre) {
  ExportLedger exported{};
  exported.metadata_readable = 1;
  exported.tensor.device = {abi::kDLCPU, 0};
  exported.tensor.dtype = {abi::kDLFloat, 32, 1};
  exported.tensor.ndim = 2;
  exported.shape[0] = 2;
  exported.strides[0] = int64_t{1} << 40;
  EXPECT_EQ(ReadExported(exported, {}), Reading::kMatches);
  exported.shape[1] = 1;
  EXPECT_EQ(ReadExported(exported, {}), Reading::kUnreadable);
}

TEST_F(ReadingTest, MemoryOfADeviceIsNeverRead) {
  subject_.device = {abi::kDLCUDA, 0};
  const ImportLedger& record = RunImport();
  EXPECT_EQ(subject_.asked, 0);
  EXPECT_EQ(record.memory.reading, Reading::kNotRead);
  EXPECT_EQ(record.library.reading, Reading::kUnsupported);
  EXPECT_EQ(record.write_source, WriteShown::kNotRun);
  EXPECT_EQ(record.write_array, WriteShown::kNotRun);
  EXPECT_EQ(record.released, 1);
  RunExport();
  EXPECT_EQ(subject_.asked, 0);
}

TEST_F(ReadingTest, ElementsOfAnEmptyArrayAreNotRequested) {
  subject_.extent = 0;
  const ImportLedger& record = RunImport();
  EXPECT_EQ(subject_.asked, 0);
  EXPECT_EQ(record.library.reading, Reading::kWrongCount) << "six elements were offered";
  RunExport();
  EXPECT_EQ(subject_.asked, 0);
}

TEST_F(ReadingTest, ResultOnADeviceIsNotRead) {
  subject_.computes_onto_device = true;
  EXPECT_EQ(RunImport().computed.reading, Reading::kUnsupported);
  EXPECT_EQ(RunExport().used.reading, Reading::kUnsupported);
  subject_.computes_onto_device = false;
  subject_.views_onto_device = true;
  EXPECT_EQ(
      RunImport({Op::kImport, Op::kDescribe, Op::kTakeView, Op::kRead, Op::kWriteSource, Op::kWriteArray}).view.reading,
      Reading::kUnsupported);
}

TEST_F(ReadingTest, NoWriteGoesPastTheLastElement) {
  subject_.extent = 1;
  RunImport({Op::kImport, Op::kWriteArray});
  EXPECT_EQ(subject_.writes, 1);
  Recipe recipe = Import({Op::kImport});
  AddStep(recipe, {.op = Op::kWriteArray, .argument = 1});
  EXPECT_EQ(Run(recipe).imports[0].write_array, WriteShown::kNotRun);
  EXPECT_EQ(subject_.writes, 1) << "six elements were offered, the array says that it has one";
}

TEST_F(ReadingTest, EmptyOfferIsReadByItsShapeAlone) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().kind = StructKind::kVersioned;
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 0;
  recipe.offer().strides_kind = StridesKind::kCompact;
  SetLife(recipe, {Op::kImport, Op::kRead});
  EXPECT_EQ(Run(recipe).imports[0].library.reading, Reading::kMatches);
  EXPECT_EQ(subject_.asked, 0);
}

TEST_F(ReadingTest, ElementsOfATooLargeArrayAreNotRequested) {
  subject_.extent = int64_t{1} << 40;
  const ImportLedger& record = RunImport();
  EXPECT_EQ(subject_.asked, 0);
  EXPECT_EQ(record.library.reading, Reading::kUnsupported);
  RunExport();
  EXPECT_EQ(subject_.asked, 0);
}

/// A consumer may wrap NULL data. Only has_data distinguishes it from one that does not report the address.
TEST(NativeDescribe, NullDataIsAnAddressIfThePluginKnowsIt) {
  dlpack_cts_plugin_table table = {};
  table.describe = [](dlpack_cts_array known, dlpack_cts_description* told, dlpack_cts_error*) -> int {
    told->has_data = *static_cast<int32_t*>(known);
    return DLPACK_CTS_OK;
  };
  NativeSubject subject(table);
  for (int32_t known : {0, 1}) {
    Description description{};
    subject.Describe(&known, description);
    EXPECT_EQ(description.has_pointer, known);
    EXPECT_EQ(description.pointer, 0u);
  }
}

TEST(LocateIn, CountsPackedElementsInBits) {
  Description array{};
  array.valid = array.has_pointer = array.has_shape = array.known_dtype = 1;
  array.pointer = 4096;
  array.dtype = {abi::kDLFloat6_e3m2fn, 6, 1};
  array.ndim = 2;
  array.shape[0] = 10;
  array.shape[1] = 36;
  constexpr uint64_t kBytes = 360 * 6 / 8;
  EXPECT_EQ(LocateIn(array, 4096 + kBytes - 1).area, Area::kData);
  EXPECT_EQ(LocateIn(array, 4096 + kBytes).area, Area::kElsewhere) << "the next block of a heap is not the array's";
  array.dtype = {abi::kDLUInt, 8, 1};
  EXPECT_EQ(LocateIn(array, 4096 + 359).area, Area::kData);
}

}  // namespace
}  // namespace dlpack_cts
