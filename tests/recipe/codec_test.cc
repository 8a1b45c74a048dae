// tests/recipe/codec_test.cc: bytes and JSON give the same recipe back, and bad input is named.
#include "harness/recipe/codec.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/recipe/fields.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

TEST(Codec, JsonGivesEveryNormalRecipeBack) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = seed % 2 == 0 ? DrawAny(seed) : WildBytes(seed);
    Normalize(recipe);
    Recipe read;
    std::string error;
    ASSERT_TRUE(FromJson(ToJson(recipe), &read, &error)) << seed << " " << error;
    ASSERT_TRUE(Same(recipe, read)) << seed << " " << ToJson(recipe);
  }
}

TEST(Codec, JsonSaysOnlyWhatDiffers) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  EXPECT_EQ(ToJson(recipe), R"({"format":1,"kind":"import","life":[]})");
  recipe.offer.dims = 2;
  recipe.offer.ndim = 2;
  recipe.offer.shape[0] = 3;
  recipe.offer.kind = StructKind::kLegacy;
  AddStep(recipe, Op::kImport);
  AddStep(recipe, Op::kWriteArray, 1, 5);
  EXPECT_EQ(ToJson(recipe), R"({"format":1,"kind":"import","offer":{"kind":"legacy","dims":2,"ndim":2,"shape":[3,0]},)"
                            R"("life":[{"op":"import"},{"op":"write-array","slot":1,"argument":5}]})");
}

struct BadJson {
  const char* text;
  const char* error;
};

TEST(Codec, BadJsonIsNamed) {
  static constexpr BadJson kBad[] = {
      {"{", "the recipe is no JSON: syntax error at byte 2"},
      {"[]", "a recipe is a JSON object"},
      {"{}", "the recipe has no field 'kind'"},
      {R"({"kind":"inport"})", "field 'kind' is one of import, export"},
      {R"({"kind":"import","format":9})", "field 'format' is 9, but this program reads format 1"},
      {R"({"kind":"import","ofer":{}})", "a recipe has no field 'ofer'"},
      {R"({"kind":"import","offer":{"sape":[]}})", "a recipe has no field 'offer.sape'"},
      {R"({"kind":"import","offer":3})", "field 'offer' is an object"},
      {R"({"kind":"import","offer":{"kind":"legcy"}})",
       "field 'offer.kind' does not know \"legcy\", only legacy, versioned, view"},
      {R"({"kind":"import","offer":{"dims":256}})", "field 'offer.dims' cannot hold 256"},
      {R"({"kind":"import","offer":{"minor":-1}})", "field 'offer.minor' cannot hold -1"},
      {R"({"kind":"import","offer":{"fill_extent":18446744073709551615}})",
       "field 'offer.fill_extent' cannot hold 18446744073709551615"},
      {R"({"kind":"import","offer":{"minor":1.5}})", "field 'offer.minor' is an integer, not 1.5"},
      {R"({"kind":"import","offer":{"shape":[1,2,3,4,5,6,7,8,9]}})",
       "field 'offer.shape' is an array of at most 8 integers"},
      {R"({"kind":"import","life":[{"op":"fly"}]})", "field 'life[0].op' does not know \"fly\""},
      {R"({"kind":"import","life":[{"wing":1}]})", "a recipe has no field 'life[0].wing'"},
      {R"({"kind":"import","life":7})", "field 'life' is an array of at most 16 steps"},
  };
  for (const BadJson& bad : kBad) {
    Recipe recipe;
    std::string error;
    EXPECT_FALSE(FromJson(bad.text, &recipe, &error)) << bad.text;
    EXPECT_TRUE(error.starts_with(bad.error)) << error;
  }
}

TEST(Codec, BytesGiveEveryNormalRecipeBack) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Recipe recipe = DrawAny(seed);
    Recipe read;
    std::string error;
    ASSERT_TRUE(Decode(Encode(recipe), &read, &error)) << error;
    EXPECT_TRUE(Same(recipe, read));
    EXPECT_TRUE(Same(recipe, DecodeAny(Encode(recipe))));
  }
}

TEST(Codec, AnyBytesAreANormalRecipe) {
  Random random(5);
  for (size_t size = 0; size < 2 * sizeof(Recipe); size += 13) {
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next());
    EXPECT_TRUE(IsNormal(DecodeAny(bytes)));
  }
}

TEST(Codec, BadFilesAreNamed) {
  const Recipe recipe = MakeRecipe(RecipeKind::kImport);
  std::vector<uint8_t> bytes(Encode(recipe).begin(), Encode(recipe).end());
  Recipe read;
  std::string error;
  EXPECT_FALSE(Decode({}, &read, &error));
  EXPECT_EQ(error, "this is no recipe: the file does not begin with DLPR");
  EXPECT_FALSE(Decode(std::span(bytes).first(40), &read, &error));
  EXPECT_EQ(error, "the recipe has 40 bytes instead of " + std::to_string(sizeof(Recipe)));
  bytes[4] = 7;
  EXPECT_FALSE(Decode(bytes, &read, &error));
  EXPECT_EQ(error, "the recipe has format 7, but this program reads format 1");
}

TEST(Fields, CoverEveryByteThatIsNotReserved) {
  std::set<size_t> covered;
  for (const Field& field : Fields()) {
    for (size_t i = 0; i < field.size * static_cast<size_t>(field.count); ++i) {
      EXPECT_TRUE(covered.insert(field.offset + i).second) << field.name;
    }
  }
  const size_t reserved = sizeof(Offer::reserved) + sizeof(Request::reserved) + sizeof(Request::reserved2) +
                          4 * sizeof(Argument::reserved) + sizeof(Call::reserved);
  const size_t head = offsetof(Recipe, offer);
  EXPECT_EQ(covered.size() + reserved + head + sizeof(Recipe::life), sizeof(Recipe));
}

TEST(Fields, AreReadAsTheyWereWritten) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  const Field* field = FindField("offer.ndim");
  ASSERT_NE(field, nullptr);
  WriteField(*field, &recipe, 0, static_cast<uint64_t>(int64_t{-5}));
  EXPECT_EQ(recipe.offer.ndim, -5);
  EXPECT_EQ(static_cast<int64_t>(ReadField(*field, &recipe)), -5);
  field = FindField("offer.shape");
  WriteField(*field, &recipe, 7, 9);
  EXPECT_EQ(recipe.offer.shape[7], 9);
  EXPECT_EQ(FindField("offer.sape"), nullptr);
}

}  // namespace
}  // namespace dlpack_cts
