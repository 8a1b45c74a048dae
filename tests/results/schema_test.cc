// tests/results/schema_test.cc: results.schema.json says of each line what the tables of its fields say.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "results/result.h"

namespace dlpack_cts {
namespace {

using Schema = nlohmann::ordered_json;

template <typename Line>
Schema Described(const char* what) {
  Schema schema = {{"type", "object"}, {"description", what}};
  schema.update(ObjectSchema<Line>());
  return schema;
}

Schema TheSchema() {
  Schema profile = SchemaOf<std::vector<SweptFact>>(true);
  profile["description"] =
      "what the probes found out about the library, or the exchange of a pair, before the first case; absent in files "
      "of an earlier program";
  profile["items"] = ObjectSchema<ProfileLine>();
  Schema result = ObjectSchema<Result>();
  result["dependencies"] = {{"producer", {"consumer"}}, {"consumer", {"producer"}}};
  Schema schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title",
       "One line of results.ndjson: first the header, then results, causes and observed choices (readings), and at the "
       "end the footer"}};
  for (const char* line : {"header", "result", "cause", "reading", "footer"}) {
    schema["oneOf"].push_back({{"$ref", std::string("#/definitions/") + line}});
  }
  schema["definitions"] = {
      {"count", {{"type", "integer"}, {"minimum", 0}}},
      {"texts", {{"type", "array"}, {"items", {{"type", "string"}}}}},
      {"words", Described<Words>("the readable form of an example; absent if there is nothing to say")},
      {"verdict", {{"enum", kWordsOf<Verdict>.all()}}},
      {"header", ObjectSchema<Header>()},
      {"profile", profile},
      {"result", result},
      {"cause", ObjectSchema<Cause>()},
      {"reading", ObjectSchema<ObservedChoices>()},
      {"footer", ObjectSchema<Footer>()}};
  return schema;
}

std::string InOneLine(const Schema& json) {
  if (!json.is_structured() || json.empty()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "" : ", ") + (json.is_object() ? Schema(key).dump() + ": " : "") + InOneLine(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// Short objects, and all arrays of texts, stand in one line.
std::string Printed(const Schema& json, const std::string& indent, size_t before) {
  constexpr size_t kWidth = 120;
  const std::string line = InOneLine(json);
  if (!json.is_object() || (before + line.size() < kWidth && indent.size() > 2) || json.contains("$ref")) return line;
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string name = indent + "  " + Schema(key).dump() + ": ";
    text += (text.empty() ? "\n" : ",\n") + name + Printed(value, indent + "  ", name.size());
  }
  return "{" + text + "\n" + indent + "}";
}

/// CTS_UPDATE_SCHEMA=1 writes the file instead.
TEST(Schema, EqualsTheTables) {
  const std::string wanted = Printed(TheSchema(), "", 0) + "\n";
  if (std::getenv("CTS_UPDATE_SCHEMA") != nullptr) std::ofstream(CTS_SCHEMA) << wanted;
  std::stringstream text;
  text << std::ifstream(CTS_SCHEMA).rdbuf();
  EXPECT_EQ(text.str(), wanted) << "run results_test with CTS_UPDATE_SCHEMA=1";
}

TEST(Schema, NamesTheVersionOfTheLines) {
  EXPECT_EQ(TheSchema()["definitions"]["header"]["properties"]["schema"]["const"], kResultsSchema);
}

}  // namespace
}  // namespace dlpack_cts
