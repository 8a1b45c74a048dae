// tests/recipe/normalize_test.cc: any bytes become a recipe whose elements lie in bounds.
#include "harness/recipe/normalize.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <cstring>

#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "tests/recipe/normal.h"
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
  const Offer& offer = recipe.offer();
  int64_t strides[kDims];
  if (IsBacked(offer)) {
    EffectiveStrides(offer, strides);
    const Span span = ElementSpan(offer.shape, strides, offer.dims);
    const uint64_t near = offer.placement == Placement::kFarOffset ? 0 : offer.byte_offset;
    ASSERT_LE(near, kDataCapacity);
    ASSERT_LE(span.lowest, 0);
    ASSERT_GE(span.highest, 0);
    const auto bytes = static_cast<uint64_t>((span.highest - span.lowest + 1) * ItemSize(offer.dtype));
    const size_t capacity = CapacityOf(offer.large != 0);
    ASSERT_LE(bytes + near + 4096, capacity);
    ASSERT_LE(ElementCount(offer.shape, offer.dims) * ItemSize(offer.dtype), static_cast<int64_t>(capacity));
    ASSERT_TRUE(offer.placement != Placement::kFarOffset || offer.byte_offset > 8 * 1024);
    ASSERT_LT(offer.byte_offset, (uint64_t{4} << 30) + (uint64_t{64} << 20));
  }
  const Request& request = recipe.request();
  EffectiveStrides(request, strides);
  const Span span = ElementSpan(request.shape, strides, request.dims);
  ASSERT_GE(request.offset + span.lowest, 0);
  ASSERT_LE((request.offset + span.highest + 1) * ItemSize(request.dtype),
            static_cast<int64_t>(CapacityOf(request.large != 0)));
}

TEST(Normalize, PutsEveryElementOfRandomBytesInBounds) {
  for (uint64_t seed = 0; seed < 50000; ++seed) {
    Recipe recipe = WildBytes(seed);
    Normalize(recipe);
    ExpectInBounds(recipe);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Normalize, IsIdempotent) {
  for (uint64_t seed = 0; seed < 50000; ++seed) {
    Recipe recipe = WildBytes(seed);
    Normalize(recipe);
    ASSERT_TRUE(IsNormal(recipe)) << "seed " << seed;
  }
}

TEST(Normalize, FoldsAnyExtentsAndStridesIntoBounds) {
  EXPECT_TRUE(rc::check([](int64_t a, int64_t b, int64_t s, int64_t t) {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().dims = 2;
    recipe.offer().shape[0] = a;
    recipe.offer().shape[1] = b;
    recipe.offer().strides_kind = StridesKind::kExplicit;
    recipe.offer().strides[0] = s;
    recipe.offer().strides[1] = t;
    Normalize(recipe);
    ExpectInBounds(recipe);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
    RC_ASSERT(IsNormal(recipe));
  }));
}

TEST(Normalize, KeepsDeclaredValuesWithoutElementMemory) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  Offer& offer = recipe.offer();
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

TEST(Normalize, RemovesStepsAfterTheEnd) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  AddStep(recipe, {.op = Op::kImport, .slot = 6, .argument = -3});
  AddStep(recipe, Op::kEnd);
  AddStep(recipe, Op::kRead, 1);
  Normalize(recipe);
  EXPECT_EQ(recipe.steps[0].slot, 2);
  EXPECT_EQ(recipe.steps[0].argument, 2);
  EXPECT_EQ(recipe.used.steps, 1);
}

TEST(Normalize, LetsStepsNameOnlyUsedBlocks) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  AddOffer(recipe, recipe.offer());
  AddStep(recipe, {.op = Op::kImport, .block = 1});
  AddStep(recipe, {.op = Op::kImport, .slot = 1, .block = 2, .call = 3});
  AddStep(recipe, {.op = Op::kMake, .block = 1});
  Normalize(recipe);
  EXPECT_EQ(recipe.steps[0].block, 1);
  EXPECT_EQ(recipe.steps[1].block, 0);
  EXPECT_EQ(recipe.steps[1].call, 0);
  EXPECT_EQ(recipe.steps[2].block, 0) << "there is one request";
}

TEST(Normalize, DoesNotAccessUnusedBlocks) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  std::memset(static_cast<void*>(&recipe.offers[1]), 0xEE, (kBlocks - 1) * sizeof(Offer));
  std::memset(static_cast<void*>(&recipe.steps[recipe.used.steps]), 0xEE, sizeof(Step));
  const Recipe before = recipe;
  Normalize(recipe);
  EXPECT_EQ(std::memcmp(&recipe, &before, sizeof(recipe)), 0);
  EXPECT_TRUE(IsNormal(recipe));
}

TEST(Normalize, KeepsOffsetsBeyond31BitsOfFarData) {
  for (const uint64_t offset : {uint64_t{1} << 20, uint64_t{1} << 31, (uint64_t{1} << 31) + 256, uint64_t{1} << 32}) {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().placement = Placement::kFarOffset;
    recipe.offer().byte_offset = offset;
    EXPECT_TRUE(IsNormal(recipe)) << offset;
  }
}

TEST(Normalize, KeepsLargeShapesOfLargeOffers) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 16 << 20;  // less the room for the alignment: 64 MiB of float32 do not fit
  EXPECT_FALSE(IsNormal(recipe));
  recipe.offer().large = 1;
  EXPECT_FALSE(IsNormal(recipe));
  recipe.offer().shape[0] = (16 << 20) - 1024;
  EXPECT_TRUE(IsNormal(recipe));
}

TEST(Normalize, KeepsARequestOffsetInsideTheStore) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 1;
  recipe.request().shape[0] = 4;
  recipe.request().offset = 5;
  Normalize(recipe);
  EXPECT_EQ(recipe.request().offset, 5);
  recipe.request().offset = -1;
  Normalize(recipe);
  EXPECT_EQ(recipe.request().offset, 0);
}

}  // namespace
}  // namespace dlpack_cts
