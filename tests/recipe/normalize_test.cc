// tests/recipe/normalize_test.cc: any bytes become a recipe whose elements lie in bounds.
#include "harness/recipe/normalize.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

bool IsBacked(const Offer& offer) {
  const bool memory = offer.placement != Placement::kUnmapped && offer.placement != Placement::kNull &&
                      offer.placement != Placement::kForeignHandle;
  return memory && offer.place != StructPlace::kBodyUnmapped && offer.negative_metadata == 0 && !IsEmpty(offer) &&
         ItemSize(offer.dtype) > 0;
}

void ExpectInBounds(const Recipe& recipe) {
  const Offer& offer = recipe.offer;
  int64_t strides[kDims];
  if (IsBacked(offer)) {
    EffectiveStrides(offer, strides);
    const Span span = ElementSpan(offer.shape, strides, offer.dims);
    const uint64_t near = offer.placement == Placement::kFarOffset ? 0 : offer.byte_offset;
    ASSERT_LE(near, kDataCapacity);
    ASSERT_LE(span.lowest, 0);
    ASSERT_GE(span.highest, 0);
    const auto bytes = static_cast<uint64_t>((span.highest - span.lowest + 1) * ItemSize(offer.dtype));
    ASSERT_LE(bytes + near + 4096, kDataCapacity);
    ASSERT_LE(ElementCount(offer.shape, offer.dims) * ItemSize(offer.dtype), static_cast<int64_t>(kDataCapacity));
    ASSERT_TRUE(offer.placement != Placement::kFarOffset || offer.byte_offset >= uint64_t{4} << 30);
  }
  const Request& request = recipe.request;
  EffectiveStrides(request, strides);
  const Span span = ElementSpan(request.shape, strides, request.dims);
  ASSERT_GE(request.offset + span.lowest, 0);
  ASSERT_LE((request.offset + span.highest + 1) * ItemSize(request.dtype), static_cast<int64_t>(kDataCapacity));
}

TEST(Normalize, PutsEveryElementOfRandomBytesInBounds) {
  for (uint64_t seed = 0; seed < 50000; ++seed) {
    Recipe recipe = WildBytes(seed);
    Normalize(recipe);
    ExpectInBounds(recipe);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Normalize, ChangesNothingTheSecondTime) {
  for (uint64_t seed = 0; seed < 50000; ++seed) {
    Recipe recipe = WildBytes(seed);
    Normalize(recipe);
    ASSERT_TRUE(IsNormal(recipe)) << "seed " << seed;
  }
}

TEST(Normalize, FoldsAnyExtentsAndStridesIntoBounds) {
  EXPECT_TRUE(rc::check([](int64_t a, int64_t b, int64_t s, int64_t t) {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer.dims = 2;
    recipe.offer.shape[0] = a;
    recipe.offer.shape[1] = b;
    recipe.offer.strides_kind = StridesKind::kExplicit;
    recipe.offer.strides[0] = s;
    recipe.offer.strides[1] = t;
    Normalize(recipe);
    ExpectInBounds(recipe);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
    RC_ASSERT(IsNormal(recipe));
  }));
}

TEST(Normalize, KeepsDeclaredValuesWhereNothingIsBacked) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  Offer& offer = recipe.offer;
  offer.dims = 2;
  offer.ndim = 2;
  offer.shape[0] = 0;
  offer.shape[1] = INT64_MAX;
  offer.strides_kind = StridesKind::kExplicit;
  offer.strides[0] = INT64_MIN;
  offer.strides[1] = -777;
  EXPECT_TRUE(IsNormal(recipe)) << "zero elements";
  offer.shape[0] = 3;
  EXPECT_FALSE(IsNormal(recipe)) << "elements";
  offer.placement = Placement::kNull;
  EXPECT_TRUE(IsNormal(recipe)) << "NULL data";
  offer.placement = Placement::kEndsAtGuard;
  offer.negative_metadata = 1;
  offer.shape[0] = -4;
  offer.ndim = -1;
  EXPECT_TRUE(IsNormal(recipe)) << "hostile metadata";
}

TEST(Normalize, ForgetsStepsBehindTheEnd) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.life[0] = {Op::kImport, 6, -3};
  recipe.life[2] = {Op::kRead, 1, 1};
  Normalize(recipe);
  EXPECT_EQ(recipe.life[0].slot, 2);
  EXPECT_EQ(recipe.life[0].argument, 2);
  EXPECT_EQ(recipe.life[2].op, Op::kEnd);
  EXPECT_EQ(recipe.life[2].slot, 0);
}

TEST(Normalize, KeepsAnOffsetOfTheRequestThatLiesInTheStore) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request.dims = 1;
  recipe.request.shape[0] = 4;
  recipe.request.offset = 5;
  Normalize(recipe);
  EXPECT_EQ(recipe.request.offset, 5);
  recipe.request.offset = -1;
  Normalize(recipe);
  EXPECT_EQ(recipe.request.offset, 0);
}

}  // namespace
}  // namespace dlpack_cts
