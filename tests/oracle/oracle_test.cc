// tests/oracle/oracle_test.cc: expected elements, allowed answers, leaks and unsafe touches.
#include "harness/oracle/oracle.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <cstring>
#include <vector>

#include "harness/recipe/elements.h"
#include "harness/recipe/generator.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

/// The elements one by one, by the definition: position = index - lowest.
std::vector<uint8_t> OneByOne(const Offer& offer, int slot) {
  const int64_t item = ItemSize(offer.dtype);
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const int64_t lowest = ElementSpan(offer.shape, strides, offer.dims).lowest;
  const int64_t count = ElementCount(offer.shape, offer.dims);
  std::vector<uint8_t> out(static_cast<size_t>(count * item));
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    int64_t position = -lowest;
    for (int d = offer.dims - 1; d >= 0; --d) {
      position += rest % offer.shape[d] * strides[d];
      rest /= offer.shape[d];
    }
    ElementBits(offer.dtype, SlotSeed(offer.seed, slot), position, out.data() + i * item);
  }
  return out;
}

TEST(ExpectedElements, FollowShapeAndStridesOfEveryLayout) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    Limits limits;
    limits.max_dims = 8;
    limits.deepest = kDims;
    const Recipe recipe = DrawImport(random, static_cast<int>(random.Below(9999)), Tier::kLegal, limits);
    const std::vector<uint8_t> wanted = OneByOne(recipe.offer(), 2);
    std::vector<uint8_t> got(wanted.size());
    ExpectedElements(recipe.offer(), 2, got);
    RC_ASSERT(got == wanted);
  }));
}

TEST(ExpectedElements, OfARequestStartAtItsOffset) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 1;
  recipe.request().shape[0] = 3;
  recipe.request().strides_kind = StridesKind::kExplicit;
  recipe.request().strides[0] = -2;
  Normalize(recipe);
  EXPECT_EQ(recipe.request().offset, 4);
  std::vector<uint8_t> got(12);
  ExpectedElements(recipe.request(), got);
  for (int i = 0; i < 3; ++i) {
    uint8_t wanted[4];
    ElementBits(recipe.request().dtype, recipe.request().seed, 4 - 2 * i, wanted);
    EXPECT_EQ(std::memcmp(wanted, got.data() + 4 * i, 4), 0);
  }
}

TEST(ExpectedElements, NeverWritePastTheirBuffer) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 100;
  std::vector<uint8_t> got(16, 0xEE);
  ExpectedElements(recipe.offer(), 0, std::span<uint8_t>(got.data(), 8));
  for (size_t i = 8; i < 16; ++i) EXPECT_EQ(got[i], 0xEE);
}

TEST(AllowedFor, FollowsTheTiers) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    EXPECT_EQ(AllowedFor(DrawImport(random, static_cast<int>(seed), Tier::kLegal, Limits{})), Allowed::kAcceptOrRefuse);
    EXPECT_EQ(AllowedFor(DrawImport(random, static_cast<int>(seed), Tier::kHostile, Limits{})), Allowed::kAnything);
  }
}

TEST(AllowedFor, RequiresRefusalOfOtherMajorsAndWrongNames) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().major = 2;
  recipe.offer().place = StructPlace::kBodyUnmapped;
  EXPECT_EQ(AllowedFor(recipe), Allowed::kMustRefuse);
  recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().name = CapsuleName::kUsed;
  EXPECT_EQ(AllowedFor(recipe), Allowed::kMustRefuse);
  recipe.offer().name = CapsuleName::kOwn;
  EXPECT_EQ(AllowedFor(recipe), Allowed::kAcceptOrRefuse);
}

class SafetyTest : public ::testing::Test {
 protected:
  SafetyTest() : recipe_(MakeRecipe(RecipeKind::kImport)) {
    Clear(ledger_);
    ledger_.imports[1].capsules = 1;
    ledger_.imports[1].name_after = NameSeen::kVersioned;
  }
  Safety Judge() { return SafetyOf(recipe_, ledger_); }
  ImportLedger& record() { return ledger_.imports[1]; }

  Recipe recipe_;
  Ledger ledger_;
};

TEST_F(SafetyTest, UnreleasedTensorIsALeak) {
  EXPECT_TRUE(Judge().leak);
  EXPECT_FALSE(Judge().unsafe);
}

TEST_F(SafetyTest, ReleasedTensorIsNotALeak) {
  record().released = 1;
  record().deleter.calls = 1;
  EXPECT_FALSE(Judge().leak);
}

TEST_F(SafetyTest, OfferWithoutCapsuleIsNotALeak) {
  record().capsules = 0;
  EXPECT_FALSE(Judge().leak);
}

TEST_F(SafetyTest, NullDeleterIsNotALeak) {
  recipe_.offer().deleter = DeleterKind::kNull;
  EXPECT_FALSE(Judge().leak);
}

TEST_F(SafetyTest, CapsuleWithoutDestructorLeaksOnlyWhenConsumed) {
  recipe_.offer().destructor = DestructorKind::kNone;
  EXPECT_FALSE(Judge().leak);
  record().name_after = NameSeen::kUsedVersioned;
  EXPECT_TRUE(Judge().leak);
}

TEST_F(SafetyTest, ForeignCapsuleIsNotALeak) {
  for (CapsuleName name :
       {CapsuleName::kUsed, CapsuleName::kForeign, CapsuleName::kTrailingSpace, CapsuleName::kNone}) {
    recipe_.offer().name = name;
    EXPECT_FALSE(Judge().leak);
  }
}

TEST_F(SafetyTest, FaultIsUnsafe) {
  ledger_.fault_count = 1;
  EXPECT_TRUE(Judge().unsafe);
}

/// An import that both sides of a check look at: accepted, released once, read as it has to be.
Ledger Right() {
  Ledger ledger{};
  ledger.imports[0].import.outcome = Outcome::kAccepted;
  ledger.imports[0].capsules = 1;
  ledger.imports[0].name_after = NameSeen::kUsedVersioned;
  ledger.imports[0].released = 1;
  ledger.imports[0].deleter.calls = 1;
  ledger.imports[0].library.reading = Reading::kMatches;
  return ledger;
}

TEST(Contradiction, IsFoundInMemoryElementsAndReleases) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  Normalize(recipe);
  EXPECT_EQ(Contradiction(recipe, Right()), "");
  Ledger faults = Right();
  faults.fault_count = 1;
  EXPECT_NE(Contradiction(recipe, faults), "");
  Ledger leaks = Right();
  leaks.imports[0].released = 0;
  leaks.imports[0].deleter.calls = 0;
  EXPECT_NE(Contradiction(recipe, leaks), "");
  Ledger misreads = Right();
  misreads.imports[0].library.reading = Reading::kDiffers;
  EXPECT_NE(Contradiction(recipe, misreads), "");
}

TEST(Contradiction, IsNotFoundInInvalidInputOrAfterWrites) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  Normalize(recipe);
  Ledger misreads = Right();
  misreads.imports[0].library.reading = Reading::kDiffers;
  Recipe written = recipe;
  SetLife(written, {Op::kImport, Op::kWriteArray, Op::kRead});
  EXPECT_EQ(Contradiction(written, misreads), "");
  recipe.offer().ndim = -1;
  EXPECT_EQ(Contradiction(recipe, misreads), "");
}

}  // namespace
}  // namespace dlpack_cts
