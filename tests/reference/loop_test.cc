// tests/reference/loop_test.cc: what the reference exports, it imports: every type, layout and kind of struct.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "reference/array.h"

namespace dlpack_cts {
namespace {

struct Made {
  std::vector<uint8_t> wanted;
  std::unique_ptr<Array> array;
};

/// The array that a recipe's request asks for, and its elements.
Made MakeRequested(const Recipe& recipe) {
  const Request& request = recipe.request();
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  const int64_t item = ItemSize(request.dtype);
  const Span span = ElementSpan(request.shape, strides, request.dims);
  std::vector<uint8_t> backing(static_cast<size_t>(std::max<int64_t>(0, request.offset + span.highest + 1) * item));
  for (size_t i = 0; i * static_cast<size_t>(item) < backing.size(); ++i) {
    ElementBits(request.dtype, request.seed, static_cast<int64_t>(i), backing.data() + i * static_cast<size_t>(item));
  }
  MakeOptions options;
  options.dtype = DataTypeName(request.dtype);
  options.shape = {request.shape, request.dims};
  options.strides = {strides, request.dims};
  options.offset = request.offset;
  options.backing = backing;
  options.read_only = request.read_only != 0;
  Denial denial;
  Made made{{}, MakeArray(options, &denial)};
  EXPECT_NE(made.array, nullptr) << denial.text;
  made.wanted.resize(static_cast<size_t>(ElementCount(request.shape, request.dims) * item));
  ExpectedElements(request, made.wanted);
  return made;
}

std::vector<uint8_t> ElementsOf(const Array& array) {
  std::vector<uint8_t> elements(static_cast<size_t>(array.Count() * array.ItemSize()));
  ReadElements(array, elements.data());
  return elements;
}

class LoopTest : public testing::TestWithParam<bool> {
 protected:
  void TearDown() override {
    EXPECT_EQ(reference_.live_exports, 0) << "an export was not released";
    EXPECT_EQ(reference_.live_blocks, 0) << "memory was not released";
  }

  Reference reference_;
  Acting acting_{reference_};
};

TEST_P(LoopTest, EveryTypeAndLayoutSurvivesARoundTrip) {
  Random random(7);
  int exchanged = 0;
  for (int index = 0; index < 2000; ++index) {
    Recipe recipe = DrawExport(random, index, Tier::kLegal, Limits{});
    Normalize(recipe);
    Made made = MakeRequested(recipe);
    ASSERT_NE(made.array, nullptr);
    EXPECT_EQ(ElementsOf(*made.array), made.wanted) << "made, example " << index;
    Denial denial;
    void* managed = ExportManaged(*made.array, {.versioned = GetParam()}, &denial);
    if (managed == nullptr) {
      EXPECT_FALSE(GetParam()) << denial.text;
      continue;
    }
    const bool read_only = made.array->read_only;
    made.array.reset();  // the export keeps the memory
    const std::unique_ptr<Array> back = ImportManaged(GetParam(), managed, {}, &denial);
    ASSERT_NE(back, nullptr) << denial.text << ", example " << index;
    EXPECT_EQ(ElementsOf(*back), made.wanted) << "imported, example " << index;
    EXPECT_EQ(back->read_only, read_only);
    EXPECT_EQ(ElementsOf(*CopyArray(*back)), made.wanted);
    ++exchanged;
  }
  EXPECT_GT(exchanged, 500);
}

TEST_P(LoopTest, ReexportKeepsTheFirstTensorAlive) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 1;
  recipe.request().shape[0] = 5;
  Normalize(recipe);
  Made made = MakeRequested(recipe);
  Denial denial;
  void* first = ExportManaged(*made.array, {.versioned = GetParam()}, &denial);
  std::unique_ptr<Array> middle = ImportManaged(GetParam(), first, {}, &denial);
  void* second = ExportManaged(*middle, {.versioned = GetParam()}, &denial);
  made.array.reset();
  middle.reset();
  std::unique_ptr<Array> last = ImportManaged(GetParam(), second, {}, &denial);
  EXPECT_EQ(ElementsOf(*last), made.wanted);
  std::thread([&last] { last.reset(); }).join();
}

TEST_P(LoopTest, ExportDoesNotFollowInPlaceChanges) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 2;
  recipe.request().shape[0] = 2;
  recipe.request().shape[1] = 3;
  Normalize(recipe);
  Made made = MakeRequested(recipe);
  Denial denial;
  constexpr int kTranspose = 1;
  constexpr int kResize = 2;
  for (const int how : {kTranspose, kTranspose, kResize}) {
    void* managed = ExportManaged(*made.array, {.versioned = GetParam()}, &denial);
    const std::unique_ptr<Array> array = ImportManaged(GetParam(), managed, {}, &denial);
    const std::vector<uint8_t> before = ElementsOf(*array);
    ASSERT_TRUE(ChangeArray(*made.array, how, &denial)) << denial.text;
    EXPECT_EQ(array->ndim, 2);
    EXPECT_EQ(ElementsOf(*array), before);
  }
  EXPECT_EQ(made.array->shape[0], 7);
}

TEST_P(LoopTest, CopyHasItsOwnMemoryAndReleasesTheTensor) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  Normalize(recipe);
  const Made made = MakeRequested(recipe);
  Denial denial;
  void* managed = ExportManaged(*made.array, {.versioned = GetParam()}, &denial);
  const std::unique_ptr<Array> copy = ImportManaged(GetParam(), managed, {.copy = 1}, &denial);
  EXPECT_EQ(reference_.live_exports, 0);
  EXPECT_NE(copy->first, made.array->first);
  EXPECT_EQ(ElementsOf(*copy), made.wanted);
}

INSTANTIATE_TEST_SUITE_P(Kinds, LoopTest, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Versioned" : "Legacy"; });

TEST(FlagsTest, CopiesAreFlaggedAndReadOnlyIsKept) {
  Reference reference;
  const Acting acting(reference);
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().read_only = 1;
  Normalize(recipe);
  const Made made = MakeRequested(recipe);
  Denial denial;
  void* shared = ExportManaged(*made.array, {}, &denial);
  EXPECT_EQ(static_cast<abi::DLManagedTensorVersioned*>(shared)->flags, abi::kFlagReadOnly);
  void* copied = ExportManaged(*made.array, {.copy = 1}, &denial);
  EXPECT_EQ(static_cast<abi::DLManagedTensorVersioned*>(copied)->flags, abi::kFlagIsCopied);
  EXPECT_EQ(ExportManaged(*made.array, {.versioned = false}, &denial), nullptr);
  ReleaseManaged(true, shared);
  ReleaseManaged(true, copied);
}

// C-SUBBYTE-08: IS_SUBBYTE_TYPE_PADDED is 0 for types of whole bytes.
TEST(FlagsTest, PaddedFlagIsOnlySetForSubByteTypes) {
  Reference reference;
  const Acting acting(reference);
  const Made made = MakeRequested(MakeRecipe(RecipeKind::kExport));
  made.array->padded = true;  // as an import that was flagged so leaves it
  Denial denial;
  void* exported = ExportManaged(*made.array, {}, &denial);
  EXPECT_EQ(static_cast<abi::DLManagedTensorVersioned*>(exported)->flags, 0u);
  ReleaseManaged(true, exported);
}

}  // namespace
}  // namespace dlpack_cts
