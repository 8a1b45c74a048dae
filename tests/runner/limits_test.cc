// tests/runner/limits_test.cc: which limitations have the verdict of a rule, which are a NOTE, and which are left out.
#include "runner/verdict/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Catalogue SomeCatalogue() {
  Catalogue catalogue;
  Rule rule;
  rule.id = "PY-FROM-01";
  rule.source = "PS:1";
  rule.breach = Verdict::kFail;
  rule.limits = {"import-object/producer=*"};
  catalogue.rules.emplace(rule.id, rule);
  return catalogue;
}

Limit Refused(const std::string& property, const std::string& value, std::vector<std::string> triggers = {}) {
  Limit limit;
  limit.entry = "import-object";
  limit.property = property;
  limit.whole = property == "producer";
  limit.value = value;
  limit.message = "from_dlpack refuses tensors " + property + " " + value;
  limit.answer = "BufferError: no";
  limit.control = "the same exchange without that";
  limit.triggers = std::move(triggers);
  limit.recipe = nlohmann::json::object();
  return limit;
}

Run RunOf(Verdict verdict = Verdict::kBlocked) {
  Run run;
  Result result;
  result.seen.case_id = "python/from/any-object-is-taken";
  result.rules = {"PY-FROM-01"};
  result.verdict = verdict;
  if (verdict == Verdict::kFail) result.breached = result.rules;
  run.results.push_back(result);
  return run;
}

std::vector<std::string> Told(const std::vector<Limit>& limits, const Run& run) {
  std::vector<std::string> told;
  for (const Cause& cause : LimitationsOf(SomeCatalogue(), true, limits, run)) {
    EXPECT_TRUE(cause.limitation);
    told.push_back(std::string(ToText(cause.verdict)) + " " + cause.id + " [" + cause.rule + "]");
  }
  return told;
}

TEST(Limitations, AreNotesWhereNoRuleAsksForMore) {
  EXPECT_THAT(Told({Refused("dims", "0"), Refused("dtype", "int8")}, RunOf()),
              ElementsAre("NOTE limit/import-object/dims=0 []", "NOTE limit/import-object/dtype=int8 []"));
}

TEST(Limitations, HaveTheVerdictOfTheRuleThatNamesThem) {
  EXPECT_THAT(
      Told({Refused("dims", "0"), Refused("producer", "foreign")}, RunOf()),
      ElementsAre("FAIL limit/import-object/producer=foreign [PY-FROM-01]", "NOTE limit/import-object/dims=0 []"));
}

TEST(Limitations, OfOneValueAreAtMostWarn) {
  Limit limit = Refused("producer", "foreign");
  limit.whole = false;
  EXPECT_THAT(Told({limit}, RunOf()), ElementsAre("WARN limit/import-object/producer=foreign [PY-FROM-01]"));
}

TEST(Limitations, OfOnePropertyThatBreakOneRuleAreOne) {
  const std::vector<Limit> limits = {Refused("producer", "foreign"), Refused("dims", "0"), Refused("producer", "bare"),
                                     Refused("producer", "older")};
  EXPECT_THAT(Told(limits, RunOf()), ElementsAre("FAIL limit/import-object/producer=foreign [PY-FROM-01]",
                                                 "NOTE limit/import-object/dims=0 []"));
  EXPECT_EQ(LimitationsOf(SomeCatalogue(), true, limits, RunOf())[0].message,
            "from_dlpack refuses tensors producer foreign, bare, older");
}

TEST(Limitations, OfARuleAreLeftOutWhereNoCaseTestsIt) {
  EXPECT_THAT(Told({Refused("producer", "foreign")}, dlpack_cts::Run{}), IsEmpty());
}

TEST(Limitations, AreLeftOutWhereACaseReportsTheSameRule) {
  EXPECT_THAT(Told({Refused("producer", "foreign")}, RunOf(Verdict::kFail)), IsEmpty());
}

TEST(Limitations, AreLeftOutWhereACauseHasTheSameTrigger) {
  dlpack_cts::Run run = RunOf();
  Cause cause;
  cause.verdict = Verdict::kWarn;
  cause.triggers = {"empty"};
  run.causes.push_back(cause);
  EXPECT_THAT(Told({Refused("size", "empty", {"empty"}), Refused("dims", "3")}, run),
              ElementsAre("NOTE limit/import-object/dims=3 []"));
  run.causes[0].side = Side::kExport;
  EXPECT_EQ(Told({Refused("size", "empty", {"empty"})}, run).size(), 1u);
}

TEST(Limitations, AreNotExplainedByWhatTheControlHasToo) {
  dlpack_cts::Run run = RunOf();
  Cause cause;
  cause.verdict = Verdict::kWarn;
  run.causes = {cause, cause};
  run.causes[0].triggers = {"rank-1"};
  run.causes[1].triggers = {"rank-2", "copy-true"};
  Limit limit = Refused("dtype", "int8", {"rank-1", "dtype-int8"});
  EXPECT_THAT(Told({limit}, run), IsEmpty());
  limit.control_triggers = {"rank-1"};
  EXPECT_EQ(Told({limit}, run).size(), 1u);
  limit = Refused("copy-of-dims", "2", {"rank-2", "copy-true"});
  limit.control_triggers = {"rank-2"};
  limit.alone_triggers = {"rank-1", "copy-true"};
  EXPECT_THAT(Told({limit}, run), IsEmpty());
  run.causes[1].triggers = {"copy-true"};
  EXPECT_EQ(Told({limit}, run).size(), 1u);
  run.causes[1].triggers = {"rank-2"};
  EXPECT_EQ(Told({limit}, run).size(), 1u);
}

TEST(Limitations, SayWhatWasSeenAndWhatIsAccepted) {
  const Cause cause = LimitationsOf(SomeCatalogue(), true, {Refused("dims", "0")}, RunOf()).at(0);
  EXPECT_EQ(cause.message, "from_dlpack refuses tensors dims 0");
  EXPECT_EQ(cause.wanted, "accepted, as is the same exchange without that");
  EXPECT_EQ(cause.got, "refused: BufferError: no");
}

TEST(Limitations, HoldWhatAPassingCaseHadNoConclusiveExampleOf) {
  dlpack_cts::Run run = RunOf(Verdict::kPass);
  run.results[0].seen.lost = {{"scalar", "ndim is 0", 29, 29}, {"empty", "it has no elements", 25, 3}};
  EXPECT_THAT(Told({}, run), ElementsAre("NOTE limit/examples/scalar []"));
  EXPECT_THAT(Told({Refused("dims", "0", {"scalar"})}, run), ElementsAre("NOTE limit/import-object/dims=0 []"));
  run.results[0].verdict = Verdict::kNote;
  EXPECT_THAT(Told({}, run), IsEmpty());
}

TEST(Limitations, HoldEntryPointsAndLayouts) {
  dlpack_cts::Run run = RunOf(Verdict::kPass);
  run.results[0].seen.lost = {{"step-table-view", "the array is viewed", 25, 25},
                              {"transposed", "a later stride is larger", 25, 25},
                              {"foreign-device", "the device is not the CPU", 25, 25}};
  EXPECT_THAT(Told({}, run),
              ElementsAre("NOTE limit/examples/step-table-view []", "NOTE limit/examples/transposed []"));
}

}  // namespace
}  // namespace dlpack_cts::runner
