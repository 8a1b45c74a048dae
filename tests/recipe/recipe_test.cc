// tests/recipe/recipe_test.cc: sizes, strides, spans and dtype names.
#include "harness/recipe/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

TEST(Recipe, EmptyOneIsNormalAndLawful) {
  for (RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    const Recipe recipe = MakeRecipe(kind);
    EXPECT_EQ(recipe.kind, kind);
    EXPECT_TRUE(IsNormal(recipe));
    EXPECT_EQ(BrokenLaws(recipe.offer), 0u);
  }
}

TEST(Recipe, StepsAreAppendedUntilTheLifeIsFull) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  for (int i = 0; i < kSteps + 3; ++i) AddStep(recipe, Op::kRead, 1, i);
  EXPECT_EQ(recipe.life[kSteps - 1].argument, kSteps - 1);
  EXPECT_EQ(recipe.life[0].slot, 1);
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

TEST(Recipe, SpanReachesBothWays) {
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
  EXPECT_EQ(DataTypeName({abi::kDLFloat, 32, 65535}), "(2, 32, 65535)");
  EXPECT_EQ(first, "(200, 32, 1)");
}

TEST(Laws, EachLieIsNamed) {
  const Offer honest = MakeRecipe(RecipeKind::kImport).offer;
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
