// tests/recipe/recipe_test.cc: sizes, strides, spans and dtype names.
#include "harness/recipe/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "tests/recipe/normal.h"

namespace dlpack_cts {
namespace {

TEST(Recipe, EmptyRecipeIsNormalAndLegal) {
  for (RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    const Recipe recipe = MakeRecipe(kind);
    EXPECT_EQ(recipe.kind, kind);
    EXPECT_TRUE(IsNormal(recipe));
    EXPECT_EQ(BrokenLaws(recipe.offer()), 0u);
  }
}

TEST(Recipe, StepsAreAppendedUntilTheLifeIsFull) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  for (int i = 0; i < kSteps + 3; ++i) AddStep(recipe, {.op = Op::kRead, .slot = 1, .argument = i});
  EXPECT_EQ(recipe.used.steps, kSteps);
  EXPECT_EQ(recipe.steps[kSteps - 1].argument, kSteps - 1);
  EXPECT_EQ(recipe.steps[0].slot, 1);
}

TEST(Recipe, BlocksAreAddedUntilAllAreUsed) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().seed = 5;
  for (int i = 1; i < kBlocks + 2; ++i) AddOffer(recipe, recipe.offer()).minor = static_cast<uint32_t>(i);
  EXPECT_EQ(recipe.used.offers, kBlocks);
  EXPECT_EQ(recipe.offer(1).seed, 5u);
  EXPECT_EQ(recipe.offer(1).minor, 1u);
  EXPECT_EQ(recipe.offer(0).minor, 3u);
}

TEST(Recipe, CopyAndSameUseOnlyUsedBlocks) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  AddStep(recipe, Op::kImport);
  Recipe copy = MakeRecipe(RecipeKind::kExport);
  copy.offers[1].seed = 1;
  copy.steps[1].op = Op::kRead;
  Copy(recipe, copy);
  EXPECT_TRUE(Same(recipe, copy));
  EXPECT_EQ(copy.offers[1].seed, 1u) << "is not touched";
  EXPECT_EQ(copy.steps[1].op, Op::kRead);
  copy.steps[0].lane = 1;
  EXPECT_FALSE(Same(recipe, copy));
  EXPECT_TRUE(SameBlocks(recipe, copy));
  copy.offer().minor = 2;
  EXPECT_FALSE(SameBlocks(recipe, copy));
}

TEST(Recipe, ItemBitsAreNotRounded) {
  EXPECT_EQ(ItemBits({abi::kDLFloat4_e2m1fn, 4, 1}), 4);
  EXPECT_EQ(ItemBits({abi::kDLFloat4_e2m1fn, 4, 3}), 12);
  EXPECT_EQ(ItemBits({abi::kDLFloat, 32, 65535}), int64_t{32} * 65535);
}

TEST(Recipe, ItemSizeRoundsUpToBytes) {
  EXPECT_EQ(ItemSize({abi::kDLFloat, 32, 1}), 4);
  EXPECT_EQ(ItemSize({abi::kDLFloat4_e2m1fn, 4, 1}), 1);
  EXPECT_EQ(ItemSize({abi::kDLFloat4_e2m1fn, 4, 2}), 1);
  EXPECT_EQ(ItemSize({abi::kDLFloat, 32, 4}), 16);
  EXPECT_EQ(ItemSize({abi::kDLFloat, 0, 1}), 0);
  EXPECT_EQ(ItemSize({abi::kDLFloat, 32, 0}), 0);
}

TEST(Recipe, ElementCountSaturates) {
  const int64_t huge[] = {INT64_MAX, 2};
  EXPECT_EQ(ElementCount(huge, 2), INT64_MAX);
  EXPECT_EQ(ElementCount(huge, 0), 1);
  const int64_t empty[] = {INT64_MAX, INT64_MAX, 0};
  EXPECT_EQ(ElementCount(empty, 3), 0);
}

TEST(Recipe, CompactStridesAreRowMajor) {
  const int64_t shape[] = {2, 3, 4};
  int64_t strides[3];
  CompactStrides(shape, 3, strides);
  EXPECT_EQ(strides[0], 12);
  EXPECT_EQ(strides[1], 4);
  EXPECT_EQ(strides[2], 1);
}

TEST(Recipe, SpanHasLowestAndHighestElement) {
  const int64_t shape[] = {3, 4};
  const int64_t strides[] = {-4, 1};
  const Span span = ElementSpan(shape, strides, 2);
  EXPECT_EQ(span.lowest, -8);
  EXPECT_EQ(span.highest, 3);
  const int64_t empty[] = {3, 0};
  EXPECT_EQ(ElementSpan(empty, strides, 2).highest, -1);
  const int64_t one[] = {1, 4};
  const int64_t odd[] = {INT64_MIN, 1};
  EXPECT_EQ(ElementSpan(one, odd, 2).lowest, 0);
  const int64_t huge[] = {INT64_MIN, INT64_MIN};
  EXPECT_EQ(ElementSpan(shape, huge, 2).lowest, INT64_MIN);
}

TEST(DataTypes, NamesAndTriplesAreUnique) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < DataTypes().size(); ++i) {
    const NamedDataType& type = DataTypes()[i];
    EXPECT_TRUE(names.insert(type.name).second);
    EXPECT_EQ(DataTypeIndex(type.dtype), static_cast<int>(i));
    EXPECT_EQ(DataTypeIndex(type.name), static_cast<int>(i));
    EXPECT_EQ(DataTypeName(type.dtype), type.name);
  }
  EXPECT_LE(DataTypes().size(), 64u) << "an index is a bit in a mask";
}

TEST(DataTypes, UnnamedTriplesAreSpelledOut) {
  EXPECT_EQ(DataTypeIndex(abi::DLDataType{200, 32, 1}), -1);
  EXPECT_EQ(DataTypeIndex("float33"), -1);
  const std::string_view first = DataTypeName({200, 32, 1});
  EXPECT_EQ(DataTypeName({abi::kDLFloat, 33, 2}), "(2, 33, 2)");
  EXPECT_EQ(first, "(200, 32, 1)");
}

TEST(DataTypes, VectorNamesHaveScalarNameAndLanes) {
  const abi::DLDataType longest{abi::kDLFloat8_e4m3b11fnuz, 8, 65535};
  EXPECT_EQ(DataTypeName(longest), "float8_e4m3b11fnuz_x65535");
  EXPECT_EQ(DataTypeOf("float8_e4m3b11fnuz_x65535"), longest);
  EXPECT_EQ(DataTypeOf("float4_e2m1fn_x2"), (abi::DLDataType{abi::kDLFloat4_e2m1fn, 4, 2}));
  EXPECT_EQ(DataTypeOf("int4"), (abi::DLDataType{abi::kDLInt, 4, 1}));
  for (const char* name : {"int4_x", "int4_x1", "int4_x0", "int4_x65536", "int4_x2x", "int5_x2", "_x2", "x2", ""}) {
    EXPECT_EQ(DataTypeOf(name), std::nullopt) << name;
  }
}

TEST(Laws, EachBrokenLawIsFound) {
  const Offer honest = MakeRecipe(RecipeKind::kImport).offer();
  Offer offer = honest;
  offer.placement = Placement::kNull;
  EXPECT_EQ(BrokenLaws(offer), kLawData);
  offer = honest;
  offer.placement = Placement::kReadOnlyPage;
  EXPECT_EQ(BrokenLaws(offer), kLawReadOnly);
  offer.flags = abi::kFlagReadOnly;
  EXPECT_EQ(BrokenLaws(offer), 0u);
  offer = honest;
  offer.dims = 1;
  offer.ndim = 1;
  offer.shape[0] = 2;
  offer.strides_kind = StridesKind::kNull;
  EXPECT_EQ(BrokenLaws(offer), kLawStrides);
  offer.minor = 1;
  EXPECT_EQ(BrokenLaws(offer), 0u);
  offer.null_shape = 1;
  EXPECT_EQ(BrokenLaws(offer), kLawShape);
  offer = honest;
  offer.dtype = {abi::kDLFloat8_e5m2, 8, 1};
  EXPECT_EQ(BrokenLaws(offer), 0u);
  offer.minor = 0;
  EXPECT_EQ(BrokenLaws(offer), kLawDtype);
  offer = honest;
  offer.alignment_log2 = 1;
  EXPECT_EQ(BrokenLaws(offer), kLawAlignment);
  offer = honest;
  offer.major = 2;
  offer.place = StructPlace::kBodyUnmapped;
  EXPECT_EQ(BrokenLaws(offer), kLawMajor);
  offer.major = 1;
  EXPECT_EQ(BrokenLaws(offer), kLawSealed);
}

}  // namespace
}  // namespace dlpack_cts
