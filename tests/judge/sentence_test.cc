// tests/judge/sentence_test.cc: a recipe in a line: what is peculiar about it is said, and a plain one is short.
#include "harness/recipe/sentence.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/judge/coordinates.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

constexpr size_t kShort = 200;

Recipe Plain(RecipeKind kind) {
  Recipe recipe = MakeRecipe(kind);
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

bool IsOneLine(const std::string& text) { return !text.empty() && text.find_first_of("\n\t\r") == std::string::npos; }

TEST(Sentence, NamesTypeAndShapeOfAPlainExchange) {
  EXPECT_EQ(SentenceOf(Plain(RecipeKind::kImport)), "float32, shape (), versioned 1.3");
  EXPECT_EQ(SentenceOf(Plain(RecipeKind::kExport)), "float32, shape ()");
}

TEST(Sentence, NamesWhatIsNotPlain) {
  Recipe recipe = Plain(RecipeKind::kImport);
  Offer& offer = recipe.offer();
  offer.dims = 2;
  offer.ndim = 2;
  offer.shape[0] = 2;
  offer.shape[1] = 3;
  offer.strides_kind = StridesKind::kExplicit;
  offer.strides[0] = 3;
  offer.strides[1] = 1;
  offer.byte_offset = 4;
  offer.flags = abi::kFlagReadOnly | abi::kFlagIsCopied | uint64_t{1} << 40;
  offer.device = offer.reported_device = {abi::kDLCUDA, 1};
  offer.name = CapsuleName::kUsed;
  recipe.call().copy.kind = ArgumentKind::kTrue;
  recipe.call().max_version = {ArgumentKind::kPair, {}, 1, 0};
  SetLife(recipe, {Op::kImport, Op::kRead, Op::kDropArray});
  EXPECT_EQ(SentenceOf(recipe),
            "float32, shape (2,3), strides (3,1), versioned 1.3, byte_offset 4, flags "
            "READ_ONLY|IS_COPIED|0x10000000000, device CUDA(2):1, capsule name \"used_dltensor_versioned\", "
            "max_version=(1,0), copy=True; import, read, drop-array");
}

TEST(Sentence, SaysOnceWhatHoldsOfEveryStep) {
  Recipe recipe = Plain(RecipeKind::kImport);
  for (Step& step : recipe.life()) step.lane = step.barrier = 1;
  EXPECT_EQ(SentenceOf(recipe), "float32, shape (), versioned 1.3; all on thread 1");
  SetLife(recipe, {Step{.op = Op::kImport, .barrier = 1}, Step{.op = Op::kRead, .lane = 1, .barrier = 1},
                   Step{.op = Op::kDropArray, .barrier = 1}});
  EXPECT_EQ(SentenceOf(recipe),
            "float32, shape (), versioned 1.3; one after another: import, read (thread 1), drop-array");
}

TEST(Sentence, NumbersTheBlocksBehindTheFirst) {
  Recipe recipe = Plain(RecipeKind::kImport);
  AddOffer(recipe, recipe.offer()).dtype = {abi::kDLInt, 64, 1};
  AddCall(recipe, recipe.call()).stream = {ArgumentKind::kInt, {}, 1, 0};
  SetLife(recipe, {Step{.op = Op::kImport}, Step{.op = Op::kImport, .slot = 1, .block = 1, .call = 1},
                   Step{.op = Op::kCollect}, Step{.op = Op::kCollect}});
  EXPECT_EQ(SentenceOf(recipe),
            "float32, shape (), versioned 1.3; offer 2: int64, shape (), versioned 1.3; call 2: stream=1; "
            "import, import (offer 2, call 2, slot 1), 2 times collect");
}

TEST(Sentence, NamesOfferAndRequestWhereThereAreBoth) {
  Recipe recipe = Plain(RecipeKind::kImport);
  SetLife(recipe, {Op::kMake, Op::kTableImport});
  EXPECT_EQ(SentenceOf(recipe),
            "request: float32, shape (); offer: float32, shape (), versioned 1.3; make, table-import");
}

TEST(Sentence, SaysEachValueThatIsGiven) {
  for (const Peculiarity* one : Peculiarities()) {
    if (one->set == nullptr) continue;
    for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
      Recipe plain = Plain(kind);
      // The value of an argument can be another one only where there is one.
      for (Argument Call::* const argument : {&Call::max_version, &Call::dl_device, &Call::copy, &Call::stream}) {
        plain.call().*argument = {ArgumentKind::kPair, {}, 7, 7};
      }
      Recipe recipe = plain;
      one->set(recipe, one->argument);
      Normalize(recipe);
      const std::string words = SentenceOf(recipe);
      EXPECT_TRUE(IsOneLine(words)) << words;
      EXPECT_LT(words.size(), kShort) << words;
      if (!one->Holds(recipe) || one->Holds(plain)) continue;
      EXPECT_NE(words, SentenceOf(plain)) << one->id;
    }
  }
}

/// Whatever a recipe holds together with it.
TEST(Sentence, ChangesWithEachCoordinateThatIsMadePlain) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = DrawAny(seed);
    Normalize(recipe);
    const std::string words = SentenceOf(recipe);
    EXPECT_TRUE(IsOneLine(words)) << words;
    for (const Coordinate& coordinate : Coordinates()) {
      if (!coordinate.plain) continue;
      Recipe plainer = recipe;
      coordinate.plain(plainer);
      Normalize(plainer);
      if (PeculiaritiesOf(plainer) == PeculiaritiesOf(recipe)) continue;
      EXPECT_NE(SentenceOf(plainer), words) << coordinate.id;
    }
  }
}

TEST(Sentence, TakesRecipesOfRandomBytes) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = WildBytes(seed);
    Normalize(recipe);
    if (recipe.used.steps == 0) continue;
    EXPECT_TRUE(IsOneLine(SentenceOf(recipe)));
  }
}

}  // namespace
}  // namespace dlpack_cts
