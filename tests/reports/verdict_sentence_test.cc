// tests/reports/verdict_sentence_test.cc: the verdict sentence says what was seen, and why rules were not judged.
#include "reports/verdict_sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/rules_judged.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Told {
  std::string rule;
  Verdict verdict = Verdict::kPass;
  std::string message = {};
  Level level = Level::kMust;
  bool as_expected = true;
  bool invalid_input = false;
};

/// A run with a case of each rule, in an empty catalogue.
dlpack_cts::Run RunOf(const std::vector<Told>& all) {
  dlpack_cts::Run run;
  run.header.library = "lib";
  run.header.library_version = "1.0";
  for (const Told& told : all) {
    Result result;
    result.library = "lib";
    result.seen.case_id = "c-abi/a/case-" + std::to_string(run.results.size());
    result.seen.message = told.message;
    result.rules = {told.rule};
    result.verdict = told.verdict;
    result.level = told.level;
    result.as_expected = told.as_expected;
    result.hostile = told.invalid_input;
    run.results.push_back(result);
  }
  return run;
}

/// The rules, ... up to R-`number`.
ReportContext Rules(int number) {
  ReportContext context;
  context.rules.resize(static_cast<size_t>(number));
  for (int i = 0; i < number; ++i) context.rules[static_cast<size_t>(i)].id = "R-" + std::to_string(i + 1);
  return context;
}

TEST(VerdictSentence, ListsFaultsOnValidAndInvalidInput) {
  const auto run = RunOf({{"R-1", Verdict::kCrash},
                          {"R-1", Verdict::kCrash},
                          {"R-1", Verdict::kUnsafe},
                          {"R-1", Verdict::kLeak, "", Level::kMust, true, true},
                          {"R-1", Verdict::kFail, "", Level::kMust, true, true}});
  EXPECT_EQ(VerdictSentence(run, {}),
            "lib 1.0 does not conform to DLPack: 1 memory fault and 2 crashes; no other deviations; 1 leak and 1 other "
            "deviation on invalid input.");
}

TEST(VerdictInShort, CountsVerdictsOnValidInput) {
  EXPECT_EQ(VerdictInShort(RunOf({{"R-1"}, {"R-1", Verdict::kCrash, "", Level::kMust, true, true}})),
            "conforms: no deviation");
  EXPECT_EQ(VerdictInShort(RunOf({{"R-1", Verdict::kWarn}, {"R-1"}})), "conforms: 1 WARN");
  EXPECT_EQ(VerdictInShort(RunOf({{"R-1", Verdict::kUnsafe}, {"R-1", Verdict::kFail}, {"R-1", Verdict::kWarn}})),
            "does not conform: 1 memory fault, 1 FAIL and 1 WARN");
  EXPECT_EQ(VerdictInShort(RunOf({{"R-1", Verdict::kSkip}, {"R-1", Verdict::kBlocked}})), "not judged");
}

TEST(VerdictInShort, NamesACauseThatNoCaseHas) {
  auto run = RunOf({{"R-1"}, {"R-1"}});
  Cause& cause = run.causes.emplace_back();
  cause.verdict = Verdict::kFail;
  cause.cases = {run.results.front().seen.case_id};
  EXPECT_EQ(VerdictInShort(run), "does not conform: 1 cause is FAIL or worse");
}

TEST(VerdictSentence, GroupsDeviationsByVerdictAndLevel) {
  auto all = std::vector<Told>{{"R-1", Verdict::kFail},
                               {"R-1", Verdict::kWarn, "", Level::kShould},
                               {"R-1", Verdict::kWarn, "", Level::kShould},
                               {"R-1", Verdict::kWarn, "", Level::kImplied}};
  EXPECT_THAT(VerdictSentence(RunOf(all), {}),
              HasSubstr("; 4 known deviations (FAIL: 1 MUST; WARN: 2 SHOULD, 1 implied)."));
  all.front().as_expected = false;
  EXPECT_THAT(VerdictSentence(RunOf(all), {}), HasSubstr("; 4 deviations, 1 unexpected (FAIL: 1 MUST; "));
  for (Told& told : all) told.as_expected = false;
  EXPECT_THAT(VerdictSentence(RunOf(all), {}), HasSubstr("; 4 unexpected deviations (FAIL: 1 MUST; "));
}

TEST(VerdictSentence, DoesNotCallAFailureAboutMemoryOrValuesSafe) {
  const auto run = RunOf({{"R-1", Verdict::kFail}, {"R-2", Verdict::kWarn}});
  ReportContext context = Rules(2);
  EXPECT_THAT(VerdictSentence(run, context), HasSubstr("no unsafe behaviour"));
  context.rules.back().stake = "memory";
  EXPECT_THAT(VerdictSentence(run, context), HasSubstr("no unsafe behaviour")) << "a WARN";
  context.rules.front().stake = "memory";
  EXPECT_THAT(VerdictSentence(run, context), Not(HasSubstr("no unsafe behaviour")));
  EXPECT_THAT(VerdictSentence(run, context), HasSubstr("; memory at stake in 1 of them; "));
  auto both = run;
  both.results.back().verdict = Verdict::kFail;
  context.rules.back().stake = "values";
  EXPECT_THAT(VerdictSentence(both, context), HasSubstr("; memory at stake in 1 of them, values in 1; "));
  context.rules.front().stake = context.rules.back().stake = "message";
  EXPECT_THAT(VerdictSentence(both, context), HasSubstr("no unsafe behaviour"));
}

TEST(VerdictSentence, OfARunThatEndedEarlySaysSoFar) {
  auto run = RunOf({{"R-1"}, {"R-1"}});
  run.footer.complete = false;
  EXPECT_THAT(VerdictSentence(run, Rules(2)), HasSubstr("lib 1.0 conforms to DLPack so far: "));
  EXPECT_THAT(VerdictSentence(run, Rules(2)), HasSubstr("1 of 2 rules judged here (run ended early)."));
}

TEST(RulesJudged, GivesTheMostFrequentReasonsFirst) {
  const std::string no_cuda = "this machine has no CUDA driver: libcuda.so.1 cannot be loaded";
  const auto run = RunOf({{"R-1"},
                          {"R-1", Verdict::kSkip, no_cuda},
                          {"R-2", Verdict::kSkip, "the adapter does not claim peek"},
                          {"R-3", Verdict::kSkip, no_cuda},
                          {"R-3", Verdict::kSkip, "the adapter does not claim peek"},
                          {"R-3", Verdict::kSkip, no_cuda},
                          {"R-4", Verdict::kSkip, no_cuda},
                          {"R-5", Verdict::kBlocked, "a reason without a phrase"},
                          {"R-6", Verdict::kBlocked, "another reason without a phrase"},
                          {"R-7", Verdict::kBlocked, "and a third one"}});
  ReportContext context = Rules(9);
  context.rules.back().untestable = true;
  const RulesJudged rules = RulesJudgedOf(run, context);
  EXPECT_EQ(rules.judged, 1);
  EXPECT_EQ(rules.all, 9);
  EXPECT_EQ(WhyNotText(rules), "no CUDA device, not selected, not testable, and others");
  ASSERT_EQ(rules.why_not.size(), 5u);
  EXPECT_EQ(rules.why_not[0].rules, 2) << "R-3 and R-4";
  EXPECT_EQ(rules.why_not[3].phrase, "peek not claimed");
  EXPECT_EQ(rules.why_not[4].phrase, "");
  EXPECT_EQ(rules.why_not[4].rules, 3);
}

TEST(RulesJudged, OfAShardArePartOfTheWhole) {
  auto run = RunOf({{"R-1"}});
  run.header.shard = "1/2";
  EXPECT_EQ(WhyNotText(RulesJudgedOf(run, Rules(2))), "in other shards");
}

TEST(RulesJudged, OfAWholeCatalogueNeedNoReason) {
  EXPECT_EQ(WhyNotText(RulesJudgedOf(RunOf({{"R-1"}}), Rules(1))), "");
  EXPECT_EQ(WhyNotText(RulesJudgedOf(RunOf({{"R-1", Verdict::kSkip, "unknown"}}), Rules(1))), "");
}

}  // namespace
}  // namespace dlpack_cts
