// tests/results/from_json_test.cc: a line that is wrong in one field is refused, and the field is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/result.h"
#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;

template <typename Line = Result>
std::string ErrorOf(const nlohmann::json& json) {
  return MessageOf([&] { FromJson<Line>(json); });
}

std::string ErrorOfHeader(const nlohmann::json& json) {
  return MessageOf([&] { ReadHeader(json); });
}

nlohmann::json Good() {
  Result result;
  result.library = "numpy";
  result.seen.case_id = "c-abi/strides/null";
  result.seen.observed = Observed::kHeld;
  result.level = Level::kMust;
  return ToJson(result);
}

nlohmann::json With(const char* field, const nlohmann::json& value) {
  nlohmann::json json = Good();
  json[field] = value;
  return json;
}

TEST(ResultLine, SurvivesARoundTrip) {
  Result result;
  result.library = "numpy";
  result.seen.observed = Observed::kUnsafe;
  result.seen.degree = Degree::kRule;
  result.seen.rule = "A-2";
  result.seen.mutant = "reads-behind-the-end";
  result.seen.ended = "SIGSEGV";
  result.seen.words = {"float32, shape ()", "described shape", "(2, 3)", "(3, 2)"};
  result.seen.held = 60;
  result.seen.refused = 30;
  result.seen.nothing = 9;
  result.producer = "numpy";
  result.consumer = "torch";
  result.level = Level::kImplied;
  result.rules = {"A-1", "A-2"};
  result.breached = {"A-2"};
  result.verdict = Verdict::kUnsafe;
  result.hostile = true;
  result.as_expected = false;
  result.seen.ledger = {{{"step", 0}, {"op", "import"}, {"seen", "step"}, {"slot", -1}, {"text", "step import"}}};
  result.seen.recipe = {{"kind", "import"}};
  result.seen.needed = {0u, 2u};
  result.seen.seed = UINT64_MAX;
  result.seen.examples = 100;
  result.seen.seconds = 0.125;
  result.reproducer = "findings/a.py";
  const auto read = FromJson<Result>(nlohmann::json::parse(ToJson(result).dump()));
  EXPECT_EQ(ToJson(read), ToJson(result));
  EXPECT_EQ(read.seen.seed, UINT64_MAX);
  EXPECT_EQ(read.seen.rule, "A-2");
  EXPECT_EQ(read.seen.held, 60);
  EXPECT_EQ(read.seen.refused, 30);
  EXPECT_EQ(read.seen.nothing, 9);
}

TEST(ResultLine, HasNullWithoutReproducerAndOutsideInterop) {
  const nlohmann::json json = Good();
  EXPECT_TRUE(json["reproducer"].is_null());
  EXPECT_TRUE(json["recipe"].is_null());
  EXPECT_FALSE(json.contains("producer"));
  EXPECT_EQ(ErrorOf(json), "");
}

TEST(ResultLine, NamesTheFieldOfAWrongType) {
  EXPECT_EQ(ErrorOf(With("case", 1)), "field \"case\": expected a string, got a number");
  EXPECT_EQ(ErrorOf(With("as_expected", "yes")), "field \"as_expected\": expected true or false, got a string");
  EXPECT_THAT(ErrorOf(With("rules", "A-1")), HasSubstr("field \"rules\": expected an array of strings"));
  EXPECT_THAT(ErrorOf(With("rules", {1})), HasSubstr("field \"rules\""));
  EXPECT_THAT(ErrorOf(With("ledger", {{"a", 1}})), HasSubstr("field \"ledger\""));
  EXPECT_THAT(ErrorOf(With("ledger", nlohmann::json::array({1}))), HasSubstr("field \"ledger\""));
  EXPECT_THAT(ErrorOf(With("recipe", "x")), HasSubstr("field \"recipe\": expected an object or null"));
  EXPECT_THAT(ErrorOf(With("reproducer", 1)), HasSubstr("field \"reproducer\": expected a string or null"));
}

TEST(ResultLine, HasTheNumbersOfNeededSteps) {
  EXPECT_FALSE(Good().contains("needed"));
  EXPECT_EQ(ErrorOf(With("needed", {0u, 2u})), "");
  for (const nlohmann::json& bad : {nlohmann::json(1), nlohmann::json::array({-1}), nlohmann::json::array({"make"})}) {
    EXPECT_THAT(ErrorOf(With("needed", bad)), HasSubstr("field \"needed\": expected an array of whole numbers"));
  }
}

TEST(ResultLine, WordsAreOptionalButComplete) {
  EXPECT_FALSE(Good().contains("words"));
  EXPECT_THAT(ErrorOf(With("words", {{"example", "x"}})), HasSubstr("field \"words\": field \"meaning\": is missing"));
  nlohmann::json deviation = {{"fact", "f"},
                              {"message", "m"},
                              {"rule", "r"},
                              {"wanted", "w"},
                              {"got", "g"},
                              {"count", 1u},
                              {"recipe", nlohmann::json::object()}};
  EXPECT_EQ(ErrorOf(With("deviations", nlohmann::json::array({deviation}))), "");
  deviation["words"] = 1;
  EXPECT_EQ(ErrorOf(With("deviations", nlohmann::json::array({deviation}))),
            "field \"deviations\": an entry: field \"words\": expected a JSON object, got a number");
  deviation.erase("words");
  deviation["surplus"] = 1;
  EXPECT_EQ(ErrorOf(With("deviations", nlohmann::json::array({deviation}))),
            "field \"deviations\": an entry: field \"surplus\": is not a known field");
}

TEST(FooterLine, HasStaleEntriesIfThereAreAny) {
  Footer footer;
  EXPECT_FALSE(ToJson(footer).contains("stale"));
  footer.stale = {"a.toml:1: gone"};
  EXPECT_EQ(FromJson<Footer>(ToJson(footer)).stale, footer.stale);
}

TEST(ResultLine, RefusesNumbersOutOfRange) {
  EXPECT_THAT(ErrorOf(With("seed", -1)), HasSubstr("field \"seed\": expected a whole number that is not negative"));
  EXPECT_THAT(ErrorOf(With("seed", 1.5)), HasSubstr("field \"seed\""));
  EXPECT_THAT(ErrorOf(With("examples", UINT64_MAX)), HasSubstr("field \"examples\": the number is too large"));
}

TEST(ResultLine, RefusesWhatTheSchemaRefuses) {
  EXPECT_EQ(ErrorOf(With("seconds", -1)), "field \"seconds\": expected a number that is not negative, got -1");
  EXPECT_EQ(ErrorOf(With("cause", "")), "field \"cause\": must be absent if it is empty or false");
  EXPECT_EQ(ErrorOf(With("provisional", false)), "field \"provisional\": must be absent if it is empty or false");
  EXPECT_EQ(ErrorOf(With("needed", nlohmann::json::array())),
            "field \"needed\": must be absent if it is empty or false");
  EXPECT_THAT(ErrorOf(With("readings", nlohmann::json::array())), HasSubstr("is not a known field"));
  nlohmann::json event = {{"step", -1}, {"op", "end"}, {"seen", "step"}, {"slot", -1}, {"text", ""}};
  EXPECT_EQ(ErrorOf(With("ledger", nlohmann::json::array({event}))), "");
  event["step"] = "first";
  EXPECT_EQ(ErrorOf(With("ledger", nlohmann::json::array({event}))),
            "field \"ledger\": an entry: field \"step\": expected a whole number");
}

TEST(ResultLine, RefusesUnknownWords) {
  EXPECT_EQ(ErrorOf(With("verdict", "FAILED")), "field \"verdict\": \"FAILED\" is not a verdict");
  EXPECT_EQ(ErrorOf(With("level", "must")), "field \"level\": \"must\" is not one of MUST, SHOULD, MAY, IMPLIED");
  EXPECT_EQ(ErrorOf(With("type", "results")), "field \"type\": \"results\" is not \"result\"");
}

TEST(ResultLine, RefusesMissingAndUnknownFields) {
  const nlohmann::json good = Good();
  for (const auto& [field, value] : good.items()) {
    nlohmann::json json = good;
    json.erase(field);
    EXPECT_EQ(ErrorOf(json), "field \"" + field + "\": is missing");
  }
  EXPECT_EQ(ErrorOf(With("as_expeced", true)), "field \"as_expeced\": is not a known field");
  EXPECT_EQ(ErrorOf(nlohmann::json::array()), "expected a JSON object, got an array");
}

TEST(ObservationLine, ReadsBackAndIsStrict) {
  Observation observation;
  observation.case_id = "c-abi/a/b";
  observation.observed = Observed::kBreach;
  observation.degree = Degree::kWarn;
  observation.seed = 7;
  nlohmann::json json = ToJson(observation);
  EXPECT_EQ(ToJson(FromJson<Observation>(json)), json);
  json["observed"] = "broken";
  EXPECT_THAT(ErrorOf<Observation>(json), HasSubstr("field \"observed\": \"broken\" is not one of held, breach"));
}

TEST(HeaderLine, NamesTheVersionOfTheLines) {
  nlohmann::json json = ToJson(Header{});
  EXPECT_EQ(json["schema"], kResultsSchema);
  EXPECT_EQ(ErrorOfHeader(json), "");
  json["schema"] = kResultsSchema + 1;
  EXPECT_EQ(ErrorOfHeader(json),
            "has version 4 of the result lines, this program reads version 3; run the library again, or read the file "
            "with the dlpack-cts that wrote it");
  json["schema"] = "two";
  EXPECT_THAT(ErrorOfHeader(json), HasSubstr("has version \"two\" of the result lines"));
}

TEST(HeaderLine, HasTheProfileIfThereIsOne) {
  Header header;
  EXPECT_FALSE(ToJson(header).contains("profile"));
  header.profile = {{"takes", "structs", "legacy structs only"}};
  nlohmann::json json = ToJson(header);
  const Header read = ReadHeader(json);
  ASSERT_EQ(read.profile.size(), 1u);
  EXPECT_EQ(read.profile[0].words, "legacy structs only");
  json["profile"][0]["part"] = "gives";
  EXPECT_EQ(ErrorOfHeader(json),
            "field \"profile\": an entry: field \"part\": \"gives\" is not one of takes, makes, ways, pair");
  json["profile"][0]["more"] = 1;
  EXPECT_THAT(ErrorOfHeader(json), HasSubstr("field \"profile\""));
}

TEST(HeaderLine, OfAnOlderProgramIsRefusedWithAHint) {
  nlohmann::json json = ToJson(Header{});
  json.erase("schema");
  json.erase("started");  // whatever else it lacks
  EXPECT_EQ(ErrorOfHeader(json),
            "was written by an older dlpack-cts: the header has no \"schema\", this program reads version 3; run the "
            "library again");
}

TEST(Verdicts, HaveUniqueWords) {
  for (int i = 0; i < static_cast<int>(kEnumerators<Verdict>); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(FromText<Verdict>(ToText(verdict)), verdict);
  }
  EXPECT_EQ(FromText<Verdict>(""), std::nullopt);
  EXPECT_EQ(FromText<Verdict>("pass"), std::nullopt);
}

}  // namespace
}  // namespace dlpack_cts
