// tests/recipe/codec_test.cc: bytes and JSON give the same recipe back, and bad input is named.
#include "harness/recipe/codec.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/recipe/fields.h"
#include "tests/message_of.h"
#include "tests/recipe/normal.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

TEST(Codec, JsonRoundTripKeepsEveryRecipe) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = seed % 2 == 0 ? DrawAny(seed) : WildBytes(seed);
    Normalize(recipe);
    ASSERT_TRUE(Same(recipe, RecipeFromJson(ToJson(recipe)))) << seed << " " << ToJson(recipe);
  }
}

TEST(Codec, JsonHasOnlyNonDefaultFields) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  EXPECT_EQ(ToJson(recipe), R"({"format":2,"kind":"import","life":[]})");
  recipe.offer().dims = 2;
  recipe.offer().ndim = 2;
  recipe.offer().shape[0] = 3;
  recipe.offer().kind = StructKind::kLegacy;
  AddStep(recipe, Op::kImport);
  AddStep(recipe, {.op = Op::kWriteArray, .slot = 1, .lane = 2, .context = Context::kAtExit, .argument = 5});
  EXPECT_EQ(ToJson(recipe),
            R"({"format":2,"kind":"import","offers":[{"kind":"legacy","dims":2,"ndim":2,"shape":[3,0]}],)"
            R"("life":[{"op":"import"},{"op":"write-array","slot":1,"lane":2,"context":"at-exit","argument":5}]})");
}

struct BadJson {
  const char* text;
  const char* error;
};

TEST(Codec, InvalidJsonIsReported) {
  static constexpr BadJson kBad[] = {
      {"{", "the recipe is not JSON: syntax error at byte 2"},
      {"[]", "a recipe must be a JSON object"},
      {"{}", "the recipe has no field 'kind'"},
      {R"({"kind":"inport"})", "field 'kind' must be one of import, export"},
      {R"({"kind":"import","format":9})", "field 'format' is 9, but this program reads format 2"},
      {R"({"kind":"import","ofer":{}})", "a recipe has no field 'ofer'"},
      {R"({"kind":"import","offer":{}})", "a recipe has no field 'offer'"},
      {R"({"kind":"import","offers":{}})", "field 'offers' must be an array of at most 4 blocks"},
      {R"({"kind":"import","offers":[]})", "field 'offers' must be an array of at most 4 blocks"},
      {R"({"kind":"import","calls":[{},{},{},{},{}]})", "field 'calls' must be an array of at most 4 blocks"},
      {R"({"kind":"import","offers":[{"sape":[]}]})", "a recipe has no field 'offers[0].sape'"},
      {R"({"kind":"import","offers":[3]})", "field 'offers[0]' must be an object"},
      {R"({"kind":"import","offers":[{},{"kind":"legcy"}]})",
       "field 'offers[1].kind' is \"legcy\" instead of one of legacy, versioned, view"},
      {R"({"kind":"import","offers":[{"dims":256}]})", "field 'offers[0].dims' cannot hold 256"},
      {R"({"kind":"import","offers":[{"minor":-1}]})", "field 'offers[0].minor' cannot hold -1"},
      {R"({"kind":"import","offers":[{"fill_extent":18446744073709551615}]})",
       "field 'offers[0].fill_extent' cannot hold 18446744073709551615"},
      {R"({"kind":"import","offers":[{"minor":1.5}]})", "field 'offers[0].minor' must be an integer, not 1.5"},
      {R"({"kind":"import","offers":[{"keywords":{"copy":"maybe"}}]})",
       "field 'offers[0].keywords.copy' is \"maybe\" instead of one of "},
      {R"({"kind":"import","table":[]})", "field 'table' must be an object"},
      {R"({"kind":"import","rounds":1001})", "field 'rounds' cannot hold 1001"},
      {R"({"kind":"import","rounds":"x"})", "field 'rounds' cannot hold \"x\""},
      {R"({"format":1,"kind":"import","life":[]})", "field 'format' is 1, but this program reads format 2"},
      {R"({"format":2,"kind":"import","life":[{"op":"drop-elsewhere"}]})",
       "field 'life[0].op' is \"drop-elsewhere\" instead of one of "},
      {R"({"kind":"import","life":[{"op":"fly"}]})", "field 'life[0].op' is \"fly\" instead of one of "},
      {R"({"kind":"import","life":[{"wing":1}]})", "a recipe has no field 'life[0].wing'"},
      {R"({"kind":"import","life":7})", "field 'life' must be an array of at most 48 steps"},
  };
  for (const BadJson& bad : kBad) {
    const std::string error = MessageOf([&] { RecipeFromJson(bad.text); });
    EXPECT_TRUE(error.starts_with(bad.error)) << bad.text << ": " << error;
  }
}

TEST(Codec, BytesRoundTripKeepsEveryRecipe) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Recipe recipe = DrawAny(seed);
    EXPECT_TRUE(Same(recipe, DecodeAny(Encode(recipe))));
  }
}

TEST(Codec, AnyBytesDecodeToANormalRecipe) {
  Random random(5);
  for (size_t size = 0; size < 4096; size += 13) {
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next());
    EXPECT_TRUE(IsNormal(DecodeAny(bytes)));
  }
}

TEST(Codec, BytesHoldOnlyUsedBlocksAndDimensions) {
  Recipe recipe = PlainImport(StructKind::kVersioned);
  const size_t plain = Encode(recipe).size();
  EXPECT_LT(plain, 500u) << "a fuzzer's input stays small";
  recipe.offer().dims = 5;
  Normalize(recipe);
  EXPECT_EQ(Encode(recipe).size(), plain + 4 * sizeof(int64_t));
  AddCall(recipe, recipe.call());
  AddStep(recipe, Op::kCollect);
  EXPECT_EQ(Encode(recipe).size(), plain + 4 * sizeof(int64_t) + sizeof(Call) + sizeof(Step));
}

TEST(Codec, FullRecipeRoundTripKeepsEveryField) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.rounds = 7;
  recipe.table = {.attribute = TableAttribute::kCapsule,
                  .null_slots = 2,
                  .failing_slots = 4,
                  .silent_slots = 8,
                  .empty_slots = 1,
                  .chain_length = 2,
                  .moves = 3,
                  .reserved = {},
                  .version = {1, 3},
                  .chain = {{1, 2}, {1, 1}, {}, {}}};
  for (int i = 1; i < kBlocks; ++i) {
    AddOffer(recipe, recipe.offer()).seed = static_cast<uint64_t>(i);
    AddRequest(recipe, recipe.request()).seed = static_cast<uint64_t>(i);
    AddCall(recipe, recipe.call()).copy.kind = ArgumentKind::kTrue;
  }
  for (int i = 0; i < kSteps; ++i) {
    AddStep(recipe, {.op = Op::kImport,
                     .slot = 3,
                     .other = Other::kSlot2,
                     .block = static_cast<uint8_t>(i % kBlocks),
                     .call = 2,
                     .actor = Actor::kConsumer,
                     .lane = static_cast<uint8_t>(i % kLanes),
                     .barrier = 1,
                     .context = static_cast<Context>(i % 8),
                     .stream = 1,
                     .argument = i << 20});
  }
  ASSERT_TRUE(IsNormal(recipe));
  EXPECT_TRUE(Same(recipe, DecodeAny(Encode(recipe))));
  EXPECT_TRUE(Same(recipe, RecipeFromJson(ToJson(recipe)))) << ToJson(recipe);
}

/// Bytes of one block that no field names.
size_t Uncovered(std::span<const Field> fields, size_t size) {
  std::set<size_t> covered;
  for (const Field& field : fields) {
    for (size_t i = 0; i < field.size * static_cast<size_t>(field.count); ++i) {
      EXPECT_TRUE(covered.insert(field.offset + i).second) << field.name;
    }
  }
  return size - covered.size();
}

TEST(Fields, CoverEveryByteThatIsNotReserved) {
  EXPECT_EQ(Uncovered(OfferFields(), sizeof(Offer)), sizeof(Offer::reserved));
  EXPECT_EQ(Uncovered(RequestFields(), sizeof(Request)), sizeof(Request::reserved));
  EXPECT_EQ(Uncovered(CallFields(), sizeof(Call)), 4 * sizeof(Argument::reserved) + sizeof(Call::reserved));
  EXPECT_EQ(Uncovered(StepFields(), sizeof(Step)), sizeof(Step::reserved));
  EXPECT_EQ(Uncovered(TableFields(), sizeof(ForgedTable)), sizeof(ForgedTable::reserved));
}

TEST(Fields, ReadReturnsTheWrittenValue) {
  Offer offer = MakeRecipe(RecipeKind::kImport).offer();
  const Field* field = FindField(OfferFields(), "ndim");
  ASSERT_NE(field, nullptr);
  WriteField(*field, &offer, 0, static_cast<uint64_t>(int64_t{-5}));
  EXPECT_EQ(offer.ndim, -5);
  EXPECT_EQ(static_cast<int64_t>(ReadField(*field, &offer)), -5);
  field = FindField(OfferFields(), "shape");
  WriteField(*field, &offer, 63, 9);
  EXPECT_EQ(offer.shape[63], 9);
  EXPECT_EQ(FindField(OfferFields(), "sape"), nullptr);
}

}  // namespace
}  // namespace dlpack_cts
