// tests/runner/merge_shards_test.cc: what several shards found is what one run of all cases would report.
#include "runner/run/merge_shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/run/fail_on.h"
#include "runner/run/shard.h"
#include "runner/run/shard_files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two cases; the second one tests the rule R-02.
Catalogue TheCatalogue() {
  Catalogue catalogue;
  for (const char* id : {"suite/a", "suite/b"}) {
    CaseInfo& info = catalogue.cases.emplace_back();
    info.id = id;
    info.rules = {info.id == "suite/a" ? "R-01" : "R-02"};
  }
  return catalogue;
}

Result Passed(const std::string& id) {
  Result result;
  result.seen.case_id = id;
  result.rules = {id == "suite/a" ? "R-01" : "R-02"};
  return result;
}

Result Failed(const std::string& id, const std::string& cause) {
  Result result = Passed(id);
  result.verdict = Verdict::kFail;
  result.as_expected = false;
  result.breached = {"R-02"};
  result.cause = cause;
  return result;
}

Cause CauseIn(const std::string& case_id) {
  Cause cause;
  cause.id = "import/place/byte-offset";
  cause.rule = "R-02";
  cause.as_expected = false;
  cause.cases = {case_id};
  cause.count = 2;
  cause.recipe = {{"case", case_id}};
  return cause;
}

Run ShardWith(const std::string& shard, Result result) {
  dlpack_cts::Run run;
  run.header.library = "toy";
  run.header.run_id = "17-ab";
  run.header.shard = shard;
  run.header.command = "dlpack-cts run toy --shard " + shard + " --out x";
  run.footer.unexpected = result.as_expected ? 0 : 1;
  run.footer.seconds = 1;
  run.results.push_back(std::move(result));
  return run;
}

Run Merge(const Run& a, const Run& b) { return MergeShards(TheCatalogue(), nlohmann::json::array(), {&a, &b}); }

TEST(MergeShards, ResultsAreInTheOrderOfTheCatalogue) {
  const dlpack_cts::Run run = Merge(ShardWith("1/2", Passed("suite/b")), ShardWith("2/2", Passed("suite/a")));
  ASSERT_EQ(run.results.size(), 2u);
  EXPECT_EQ(run.results[0].seen.case_id, "suite/a");
  EXPECT_EQ(run.header.shard, "");
  EXPECT_EQ(run.header.command, "dlpack-cts run toy --out x");
  EXPECT_EQ(run.footer.unexpected, 0);
  EXPECT_EQ(run.footer.seconds, 2);
  EXPECT_EQ(run.footer.counts, (nlohmann::json{{"PASS", 2}}));
}

TEST(MergeShards, TheCaseAboutTheRuleReportsACauseOfTwoShardsAndTheOtherIsBlocked) {
  dlpack_cts::Run one = ShardWith("1/2", Failed("suite/a", CauseIn("suite/a").id));
  dlpack_cts::Run other = ShardWith("2/2", Failed("suite/b", CauseIn("suite/b").id));
  one.causes = {CauseIn("suite/a")};
  other.causes = {CauseIn("suite/b")};
  const dlpack_cts::Run run = Merge(one, other);
  EXPECT_EQ(run.results[0].verdict, Verdict::kBlocked);
  EXPECT_EQ(run.results[1].verdict, Verdict::kFail);
  ASSERT_EQ(run.causes.size(), 1u);
  EXPECT_THAT(run.causes[0].cases, ElementsAre("suite/a", "suite/b"));
  EXPECT_EQ(run.causes[0].count, 4);
  EXPECT_EQ(run.footer.unexpected, 1);
}

TEST(MergeShards, ACauseThatNoShardReportsIsUnexpected) {
  dlpack_cts::Run one = ShardWith("1/2", Passed("suite/a"));
  one.causes = {CauseIn("suite/a")};
  LeaveOtherCauses(one);
  ASSERT_TRUE(IsLeftOut(one.causes[0]));
  const dlpack_cts::Run run = Merge(one, ShardWith("2/2", Passed("suite/b")));
  EXPECT_FALSE(run.causes[0].as_expected);
  EXPECT_EQ(run.footer.unexpected, 1);
}

TEST(MergeShards, ButNotIfTheRunHasSelectedCases) {
  dlpack_cts::Run one = ShardWith("1/2", Passed("suite/a"));
  one.header.options = {{"select", {"suite/*"}}};
  one.causes = {CauseIn("suite/a")};
  LeaveOtherCauses(one);
  EXPECT_EQ(Merge(one, ShardWith("2/2", Passed("suite/b"))).footer.unexpected, 0);
}

TEST(MergeShards, AnExpectationIsStaleIfItOccurredInNoShard) {
  dlpack_cts::Run one = ShardWith("1/2", Passed("suite/a"));
  dlpack_cts::Run other = ShardWith("2/2", Passed("suite/b"));
  one.footer.unmet = {{"list.toml:1", ""}, {"list.toml:2", ""}, {"list.toml:3", "is listed"}};
  other.footer.unmet = {{"list.toml:1", "is listed, but gave PASS"}, {"list.toml:2", ""}};
  const dlpack_cts::Run run = Merge(one, other);
  EXPECT_THAT(run.footer.stale, ElementsAre("is listed, but gave PASS"));
  EXPECT_EQ(run.footer.unexpected, 1);
  one.header.options = {{"fail_on", "never"}};
  EXPECT_EQ(Merge(one, other).footer.unexpected, 0);
}

Cause Limitation(const std::string& id, const std::string& rule) {
  Cause cause;
  cause.id = id;
  cause.rule = rule;
  cause.limitation = true;
  cause.verdict = rule.empty() ? Verdict::kNote : Verdict::kWarn;
  cause.as_expected = rule.empty();
  return cause;
}

TEST(MergeShards, ALimitationThatACauseOfAnotherShardExplainsIsLeftOut) {
  dlpack_cts::Run one = ShardWith("1/2", Passed("suite/a"));
  dlpack_cts::Run other = ShardWith("2/2", Failed("suite/b", ""));
  one.causes = {Limitation("limit/import-object/dims=0", ""), Limitation("limit/export/dims=0", "R-02")};
  EXPECT_THAT(Merge(one, other).causes, IsEmpty());
  other = ShardWith("2/2", Passed("suite/b"));
  other.causes = {Limitation("limit/import-object/dims=0", "")};
  const dlpack_cts::Run run = Merge(one, other);
  ASSERT_EQ(run.causes.size(), 2u);
  EXPECT_EQ(run.footer.unexpected, 1) << "the limitation of export violates a rule";
  other.footer.lists_limitations = true;
  EXPECT_EQ(Merge(one, other).footer.unexpected, 2) << "the other one is not in the list, which has to be complete";
}

TEST(MergeShards, AWeakChoiceCountsOnlyIfNoShardShowsAnother) {
  dlpack_cts::Run one = ShardWith("1/2", Passed("suite/a"));
  dlpack_cts::Run other = ShardWith("2/2", Passed("suite/b"));
  one.readings = {{.id = "A-01", .rule = "R-01", .question = "?", .shown = {{"refuses", 3}}}};
  other.readings = {{.id = "A-01", .rule = "R-01", .question = "?", .shown = {{"copies", 4}}}};
  const nlohmann::json choices = {{{"choice", "A-01"}, {"answers", {"copies", "refuses"}}, {"weak", 1}}};
  const dlpack_cts::Run run = MergeShards(TheCatalogue(), choices, {&one, &other});
  ASSERT_EQ(run.readings.size(), 1u);
  ASSERT_EQ(run.readings[0].shown.size(), 1u);
  EXPECT_EQ(run.readings[0].shown[0].words, "copies");
  EXPECT_EQ(run.readings[0].shown[0].count, 4);
}

std::string WrongIn(const std::vector<StoredRun>& stored) {
  const WholeRuns whole = WithMergedShards(TheCatalogue(), stored);
  if (whole.wrong.empty()) return "";
  EXPECT_THAT(whole.runs, IsEmpty());
  return std::string(whole.wrong.front().what()) + "; " + whole.wrong.front().hint();
}

TEST(ShardFiles, AMissingShardIsNamed) {
  EXPECT_THAT(WrongIn({{"toy", "a", ShardWith("2/3", Passed("suite/a"))}}),
              HasSubstr("run 17-ab of toy: shard 1/3, shard 3/3 are missing"));
}

TEST(ShardFiles, AShardOfAnotherRunIsNamedWithWhatDiffers) {
  StoredRun other{"toy", "b", ShardWith("2/2", Passed("suite/b"))};
  other.run.header.run_id = "17-cd";
  other.run.header.seed = 2;
  const std::string wrong = WrongIn({{"toy", "a", ShardWith("1/2", Passed("suite/a"))}, other});
  EXPECT_THAT(wrong, HasSubstr("shard 2/2 is missing"));
  EXPECT_THAT(wrong, HasSubstr("b is of another run: its --seed differs"));
}

TEST(ShardFiles, ADoubledShardIsNamedWithItsFiles) {
  const dlpack_cts::Run shard = ShardWith("1/2", Passed("suite/a"));
  EXPECT_THAT(WrongIn({{"toy", "a", shard}, {"toy", "b", shard}}),
              HasSubstr("occurs twice: shard 1/2 is in a and in b"));
}

TEST(ShardFiles, AShardThatDidNotEndIsNamed) {
  dlpack_cts::Run shard = ShardWith("1/2", Passed("suite/a"));
  shard.header.provisional = true;
  EXPECT_THAT(WrongIn({{"toy", "a", shard}, {"toy", "b", ShardWith("2/2", Passed("suite/b"))}}),
              HasSubstr("a: shard 1/2 of run 17-ab of toy did not end"));
}

TEST(ShardFiles, PairsStayWholeAndEveryPairMustBeThere) {
  std::vector<StoredRun> stored;
  for (const char* pair : {"a-to-a", "a-to-b", "b-to-a"}) {
    dlpack_cts::Run run = ShardWith(Shard{2, 2}.Has(pair) ? "2/2" : "1/2", Passed("suite/a"));
    run.header.library = pair;
    run.header.options = {{kLibrariesOption, {"a", "b"}}};
    stored.push_back({pair, pair, run});
  }
  EXPECT_THAT(WrongIn(stored), HasSubstr("b-to-b of shard "));
  stored.push_back(stored.back());
  stored.back().name = stored.back().path = stored.back().run.header.library = "b-to-b";
  stored.back().run.header.shard = Shard{2, 2}.Has("b-to-b") ? "2/2" : "1/2";
  const WholeRuns whole = WithMergedShards(TheCatalogue(), stored);
  EXPECT_THAT(whole.wrong, IsEmpty());
  EXPECT_EQ(whole.runs.size(), 4u);
}

TEST(ShardFiles, OtherRunsStayAsTheyAre) {
  StoredRun one{"toy", "a", ShardWith("", Passed("suite/a"))};
  EXPECT_EQ(WithMergedShards(TheCatalogue(), {one, one}).runs.size(), 2u);
}

}  // namespace
}  // namespace dlpack_cts::runner
