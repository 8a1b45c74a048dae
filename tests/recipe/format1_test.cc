// tests/recipe/format1_test.cc: recipes that the first format stored say what they said.
//
// testdata/format1.ndjson was written by the program that had that format: on each line one recipe as its JSON twin and
// as its bytes. It is never written again.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/recipe/codec.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

using Json = nlohmann::json;

struct Stored {
  Json json;
  std::vector<uint8_t> bytes;
};

std::vector<Stored> ReadStored() {
  std::vector<Stored> all;
  std::ifstream file(DLPACK_CTS_RECIPE_TESTDATA "/format1.ndjson");
  for (std::string line; std::getline(file, line);) {
    const Json record = Json::parse(line);
    Stored stored{record["recipe"], {}};
    const std::string hex = record["bytes"];
    for (size_t i = 0; i < hex.size(); i += 2) {
      stored.bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    all.push_back(stored);
  }
  return all;
}

Recipe FromText(const Json& json) {
  Recipe recipe;
  std::string error;
  EXPECT_TRUE(FromJson(json.dump(), &recipe, &error)) << error;
  return recipe;
}

/// The life in short words: "import 0", "delete 1 lane 1 raw-thread".
std::vector<std::string> LifeOf(const Recipe& recipe) {
  std::vector<std::string> life;
  const Json twin = Json::parse(ToJson(recipe));
  for (const Json& step : twin["life"]) {
    std::string text = step["op"].get<std::string>() + " " + std::to_string(step.value("slot", 0));
    for (const char* name : {"other", "call", "lane", "barrier", "context", "argument"}) {
      if (!step.contains(name)) continue;
      text += std::string(" ") + name + "=";
      text += step[name].is_string() ? step[name].get<std::string>() : step[name].dump();
    }
    life.push_back(text);
  }
  return life;
}

Recipe WithLife(const char* life) {
  return FromText(Json::parse(std::string(R"({"format":1,"kind":"export","life":)") + life + "}"));
}

TEST(Format1, BytesAndTwinSayTheSame) {
  const std::vector<Stored> all = ReadStored();
  ASSERT_GE(all.size(), 25u);
  for (const Stored& stored : all) {
    Recipe read;
    std::string error;
    ASSERT_TRUE(Decode(stored.bytes, &read, &error)) << error;
    EXPECT_TRUE(Same(read, FromText(stored.json))) << stored.json.dump() << "\n" << ToJson(read);
    EXPECT_TRUE(Same(read, DecodeAny(stored.bytes)));
    EXPECT_TRUE(Same(read, DecodeAny(Encode(read)))) << "is stored in the new format";
  }
}

TEST(Format1, OffersRequestsAndCallsKeepEveryField) {
  for (const Stored& stored : ReadStored()) {
    const Json twin = Json::parse(ToJson(FromText(stored.json)));
    const std::map<std::string, std::string> arrays = {{"offer", "offers"}, {"request", "requests"}, {"call", "calls"}};
    for (const auto& [name, array] : arrays) {
      Json block = twin.contains(array) ? twin[array][0] : Json::object();
      block.erase("keywords");
      block.erase("gives");
      Json old = stored.json.value(name, Json::object());
      old.erase("manners");
      EXPECT_EQ(block, old) << name;
    }
  }
}

TEST(Format1, PlainLivesStayAsTheyAre) {
  const std::set<std::string> special = {"drop-elsewhere", "delete-together"};
  const std::set<std::string> by_argument = {"import", "import-capsule", "reexport",
                                             "export", "delete",         "lose-capsule"};
  int plain = 0;
  for (const Stored& stored : ReadStored()) {
    bool changed = false;
    for (const Json& step : stored.json["life"]) {
      changed =
          changed || special.contains(step["op"]) || (by_argument.contains(step["op"]) && step.contains("argument"));
      changed = changed || step["op"] == "reexport";
    }
    if (changed) continue;
    ++plain;
    EXPECT_EQ(Json::parse(ToJson(FromText(stored.json)))["life"], stored.json["life"]);
  }
  EXPECT_GE(plain, 20);
}

TEST(Format1, MannersAreKeywordsAndWhatIsGiven) {
  const std::map<std::string, std::pair<Keywords, Gives>> kMeaning = {
      {"obeys", {kIgnoresKeywords, Gives::kCapsule}},        {"negotiates", {kNegotiates, Gives::kCapsule}},
      {"stream-only", {kStreamOnly, Gives::kCapsule}},       {"no-keywords", {kNoKeywords, Gives::kCapsule}},
      {"raises", {kIgnoresKeywords, Gives::kBufferError}},   {"returns-none", {kIgnoresKeywords, Gives::kNone}},
      {"returns-stored", {kIgnoresKeywords, Gives::kStored}}};
  std::set<std::string> seen;
  for (const Stored& stored : ReadStored()) {
    if (!stored.json.contains("offer")) continue;
    const std::string manners = stored.json["offer"].value("manners", "obeys");
    const Offer offer = FromText(stored.json).offer();
    EXPECT_EQ(offer.keywords, kMeaning.at(manners).first) << manners;
    EXPECT_EQ(offer.gives, kMeaning.at(manners).second) << manners;
    seen.insert(manners);
  }
  EXPECT_EQ(seen.size(), kMeaning.size());
}

TEST(Format1, OperationsThatAreGoneAreOrdinaryOnesWithFields) {
  using Life = std::vector<std::string>;
  EXPECT_EQ(LifeOf(WithLife(R"([{"op":"import"},{"op":"drop-elsewhere"},{"op":"collect"}])")),
            (Life{"import 0", "drop-array 0 lane=1 barrier=1", "collect 0 barrier=1"}));
  EXPECT_EQ(LifeOf(WithLife(R"([{"op":"take-capsule","slot":1},{"op":"take-capsule","slot":3},{"op":"delete-together"},
                                {"op":"read-source"}])")),
            (Life{"take-capsule 1", "take-capsule 3", "delete 1 lane=1 barrier=1 context=raw-thread",
                  "delete 3 lane=2 context=raw-thread", "read-source 0 barrier=1"}));
  EXPECT_EQ(LifeOf(WithLife(R"([{"op":"delete","argument":1},{"op":"lose-capsule","slot":2,"argument":1}])")),
            (Life{"delete 0 context=raw-thread", "lose-capsule 2 context=pending-exception"}));
}

TEST(Format1, ArgumentsThatNamedASlotNameItAsTheOtherOne) {
  using Life = std::vector<std::string>;
  EXPECT_EQ(LifeOf(WithLife(R"([{"op":"import","slot":1,"argument":1},{"op":"import-capsule","slot":2,"argument":4},
                                {"op":"import","slot":1,"argument":2},{"op":"import","argument":5},
                                {"op":"reexport","slot":1,"argument":3},{"op":"reexport"},
                                {"op":"reexport","argument":4},{"op":"write-array","argument":9}])")),
            (Life{"import 1 other=0", "import-capsule 2 other=3", "import 1", "import 0", "reexport 1 other=3",
                  "reexport 0 other=0", "write-array 0 argument=9"}));
}

TEST(Format1, ExportsWithoutMaxVersionHaveACallOfTheirOwn) {
  const Recipe recipe = FromText(Json::parse(R"({"format":1,"kind":"export",
      "call":{"max_version":{"kind":"pair","a":1,"b":3},"copy":{"kind":"true"}},
      "life":[{"op":"make"},{"op":"export"},{"op":"export","slot":1,"argument":1},
              {"op":"export","slot":2,"argument":1}]})"));
  ASSERT_EQ(recipe.used.calls, 2);
  EXPECT_EQ(recipe.call(0).max_version.kind, ArgumentKind::kPair);
  EXPECT_EQ(recipe.call(1).max_version.kind, ArgumentKind::kAbsent);
  EXPECT_EQ(recipe.call(1).copy.kind, ArgumentKind::kTrue);
  EXPECT_EQ(recipe.steps[1].call, 0);
  EXPECT_EQ(recipe.steps[2].call, 1);
  EXPECT_EQ(recipe.steps[3].call, 1);
}

TEST(Format1, AnyBytesThatBeginLikeOneAreANormalRecipe) {
  const std::vector<uint8_t> whole = ReadStored().front().bytes;
  for (size_t size = 6; size < whole.size(); size += 7) {
    std::vector<uint8_t> bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(IsNormal(DecodeAny(bytes)));
    for (size_t i = 6; i < size; i += 5) bytes[i] = static_cast<uint8_t>(bytes[i] ^ (i * 37));
    EXPECT_TRUE(IsNormal(DecodeAny(bytes)));
    Recipe read;
    std::string error;
    EXPECT_FALSE(Decode(bytes, &read, &error)) << "a part of a stored recipe is not a recipe";
  }
}

}  // namespace
}  // namespace dlpack_cts
