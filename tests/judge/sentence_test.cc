// tests/judge/sentence_test.cc: the sentence of a recipe names every value that differs from the default.
#include "harness/recipe/sentence.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "base/enum_words.h"
#include "harness/attribute/properties.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/often.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/together.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

constexpr size_t kShort = 240;

Recipe Plain(RecipeKind kind) {
  Recipe recipe = MakeRecipe(kind);
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

bool IsOneLine(const std::string& text) { return !text.empty() && text.find_first_of("\n\t\r") == std::string::npos; }

TEST(Sentence, HasDtypeAndShapeOfTheDefaultExchange) {
  EXPECT_EQ(SentenceOf(Plain(RecipeKind::kImport)), "float32, shape (), versioned 1.3");
  EXPECT_EQ(SentenceOf(Plain(RecipeKind::kExport)), "float32, shape ()");
}

TEST(Sentence, HasEveryNonDefaultValue) {
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

TEST(Sentence, HasTextOfEveryStepOnce) {
  Recipe recipe = Plain(RecipeKind::kImport);
  for (Step& step : recipe.life()) step.lane = step.barrier = 1;
  EXPECT_EQ(SentenceOf(recipe), "float32, shape (), versioned 1.3; all on thread 1");
  SetLife(recipe, {Step{.op = Op::kImport, .barrier = 1}, Step{.op = Op::kRead, .lane = 1, .barrier = 1},
                   Step{.op = Op::kDropArray, .barrier = 1}});
  EXPECT_EQ(SentenceOf(recipe),
            "float32, shape (), versioned 1.3; one after another: import, read (thread 1), drop-array");
}

TEST(Sentence, NumbersTheBlocksAfterTheFirst) {
  Recipe recipe = Plain(RecipeKind::kImport);
  AddOffer(recipe, recipe.offer()).dtype = {abi::kDLInt, 64, 1};
  AddCall(recipe, recipe.call()).stream = {ArgumentKind::kInt, {}, 1, 0};
  SetLife(recipe, {Step{.op = Op::kImport}, Step{.op = Op::kImport, .slot = 1, .block = 1, .call = 1},
                   Step{.op = Op::kCollect}, Step{.op = Op::kCollect}});
  EXPECT_EQ(SentenceOf(recipe),
            "float32, shape (), versioned 1.3; offer 2: int64, shape (), versioned 1.3; call 2: stream=1; "
            "import, import (offer 2, call 2, slot 1), 2 times collect");
}

TEST(Sentence, NamesOfferAndRequestIfItHasBoth) {
  Recipe recipe = Plain(RecipeKind::kImport);
  SetLife(recipe, {Op::kMake, Op::kTableImport});
  EXPECT_EQ(SentenceOf(recipe),
            "request: float32, shape (); offer: float32, shape (), versioned 1.3; make, table-import");
}

TEST(Sentence, HasEveryValueThatIsSet) {
  for (const Trigger* one : AllTriggers()) {
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

/// Whatever else the recipe holds.
TEST(Sentence, ChangesWithEveryPropertySetToItsDefault) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = DrawAny(seed);
    Normalize(recipe);
    const std::string words = SentenceOf(recipe);
    EXPECT_TRUE(IsOneLine(words)) << words;
    for (const Property& property : AllProperties()) {
      if (!property.plain) continue;
      Recipe plainer = recipe;
      property.plain(plainer);
      Normalize(plainer);
      if (TriggersOf(plainer) == TriggersOf(recipe)) continue;
      EXPECT_NE(SentenceOf(plainer), words) << property.id;
    }
  }
}

/// The sentences of `count` recipes have no placeholder, and no two are alike. `set` gives the recipe its n-th value.
void ExpectWordsForEach(const std::string& what, size_t count, const Recipe& start,
                        const std::function<void(Recipe&, size_t)>& set) {
  std::map<std::string, size_t> seen;
  for (size_t value = 0; value < count; ++value) {
    Recipe recipe = start;
    set(recipe, value);
    const std::string words = SentenceOf(recipe);
    EXPECT_TRUE(IsOneLine(words)) << what << " " << value;
    // "an undefined device type" is a value; "undefined" alone is a missing word.
    std::string missing = words;
    for (size_t at = missing.find("an undefined"); at != std::string::npos; at = missing.find("an undefined")) {
      missing.erase(at, std::string("an undefined").size());
    }
    EXPECT_EQ(missing.find(kUndefinedWord), std::string::npos) << what << " " << value << ": " << words;
    EXPECT_EQ(missing.find('?'), std::string::npos) << what << " " << value << ": " << words;
    const auto [found, is_new] = seen.emplace(words, value);
    EXPECT_TRUE(is_new) << what << " " << value << " and " << found->second << ": " << words;
  }
  EXPECT_GT(seen.size(), 1u) << what;
}

TEST(Sentence, HasWordsForEachEnumeratorOfEachField) {
  struct Of {
    const char* name;
    std::span<const Field> fields;
    std::function<void*(Recipe&)> block;
    RecipeKind kind;
  };
  const Of blocks[] = {
      {"offer", OfferFields(), [](Recipe& recipe) -> void* { return &recipe.offer(); }, RecipeKind::kImport},
      {"request", RequestFields(), [](Recipe& recipe) -> void* { return &recipe.request(); }, RecipeKind::kExport},
      {"call", CallFields(), [](Recipe& recipe) -> void* { return &recipe.call(); }, RecipeKind::kImport},
      {"step", StepFields(), [](Recipe& recipe) -> void* { return recipe.steps; }, RecipeKind::kImport},
      {"table", TableFields(), [](Recipe& recipe) -> void* { return &recipe.table; }, RecipeKind::kImport}};
  size_t fields = 0;
  for (const Of& of : blocks) {
    for (const Field& field : of.fields) {
      if (field.words.empty()) continue;
      ++fields;
      ExpectWordsForEach(of.name + std::string(".") + std::string(field.name), field.words.size(), Plain(of.kind),
                         [&](Recipe& recipe, size_t value) { WriteField(field, of.block(recipe), 0, value); });
    }
  }
  EXPECT_EQ(fields, 13u + 3u + 4u + 4u + 1u);
}

TEST(Sentence, HasWordsForEachArgumentOfAStep) {
  const auto expect = [](Op op, size_t count) {
    const RecipeKind kind = UsesRequest(op) ? RecipeKind::kExport : RecipeKind::kImport;
    ExpectWordsForEach("the operation " + std::to_string(static_cast<int>(op)), count, Plain(kind),
                       [&](Recipe& recipe, size_t value) {
                         SetLife(recipe, {Step{.op = op, .argument = static_cast<int32_t>(value)}});
                       });
  };
  expect(Op::kMake, 3);
  expect(Op::kChangeMetadata, 3);
  expect(Op::kTableStream, 3);
  expect(Op::kTableAllocate, kEnumerators<Prototype>);
  expect(Op::kExportOften, kEnumerators<Often>);
  expect(Op::kExportTogether, kEnumerators<Beside>);
  expect(Op::kImportTogether, kEnumerators<Sharing>);
}

TEST(Sentence, HasWordsForEachFunctionOfATable) {
  for (uint8_t ForgedTable::* const slots :
       {&ForgedTable::null_slots, &ForgedTable::failing_slots, &ForgedTable::silent_slots, &ForgedTable::empty_slots}) {
    Recipe start = Plain(RecipeKind::kImport);
    start.table.attribute = TableAttribute::kCapsule;
    start.table.version = {1, 3};
    ExpectWordsForEach("functions", kTableFunctions, start, [&](Recipe& recipe, size_t function) {
      recipe.table.*slots = static_cast<uint8_t>(1u << function);
    });
  }
}

TEST(Sentence, AcceptsRecipesOfRandomBytes) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = WildBytes(seed);
    Normalize(recipe);
    if (recipe.used.steps == 0) continue;
    EXPECT_TRUE(IsOneLine(SentenceOf(recipe)));
  }
}

}  // namespace
}  // namespace dlpack_cts
