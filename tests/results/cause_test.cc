// tests/results/cause_test.cc: findings and causes survive their lines, and a wrong line names its field.
#include "results/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

using testing::HasSubstr;

Cause ACause() {
  Cause cause;
  cause.id = "import/place/byte-offset";
  cause.rule = "C-DATA-01";
  cause.verdict = Verdict::kFail;
  cause.as_expected = false;
  cause.case_id = "c-abi/data/byte-offset-is-added";
  cause.fact = "importS.memory";
  cause.wanted = "matches";
  cause.got = "differs";
  cause.words = {"float32, shape (), byte_offset 64", "elements", "the element = 1.0", "the element = 0.0"};
  cause.count = 3;
  cause.cases = {cause.case_id};
  cause.recipe = {{"kind", "import"}};
  cause.replay = "dlpack-cts run toy";
  return cause;
}

TEST(CauseLine, SurvivesARoundTrip) {
  const nlohmann::json json = ToJson(ACause());
  EXPECT_EQ(ToJson(FromJson<Cause>(json)), json);
}

TEST(CauseLine, NamesTheWrongField) {
  nlohmann::json json = ToJson(ACause());
  json["verdict"] = "WORSE";
  const auto read = [&] { FromJson<Cause>(json); };
  EXPECT_THAT(MessageOf(read), HasSubstr("field \"verdict\": \"WORSE\" is not one of FAIL, WARN"));
  json = ToJson(ACause());
  json["more"] = 1;
  EXPECT_THAT(MessageOf(read), HasSubstr("more"));
}

TEST(FindingLine, SurvivesARoundTripAndNamesItsCause) {
  Finding finding;
  finding.case_id = "c-abi/data/byte-offset-is-added";
  finding.side = Side::kImport;
  finding.family = Family::kMemoryInCall;
  finding.triggers = {"rank-1", "byte-offset"};
  finding.observed = Observed::kUnsafe;
  finding.degree = Degree::kRule;
  finding.recipe = {{"kind", "import"}};
  finding.words.example = "float32, shape (6,)";
  EXPECT_EQ(CauseId(finding), "import/memory-in-a-call/rank-1+byte-offset");
  EXPECT_EQ(ToJson(FromJson<Finding>(ToJson(finding))), ToJson(finding));
}

}  // namespace
}  // namespace dlpack_cts
