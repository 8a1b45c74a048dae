// tests/runner/shard_test.cc: every id is in exactly one shard, and the id of a run is the same in all of its shards.
#include "runner/run/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> SomeIds() {
  std::vector<std::string> ids;
  for (int i = 0; i < 400; ++i) ids.push_back("suite/topic-" + std::to_string(i % 20) + "/case-" + std::to_string(i));
  return ids;
}

TEST(Shard, EveryIdIsInExactlyOneShardAndNoShardIsMuchLarger) {
  const std::vector<std::string> ids = SomeIds();
  for (const uint64_t count : {1u, 2u, 3u, 4u, 7u, 16u}) {
    std::vector<std::string> all;
    for (uint64_t number = 1; number <= count; ++number) {
      std::vector<std::string> some = ids;
      std::erase_if(some, [&](const std::string& id) { return !Shard{number, count}.Has(id); });
      EXPECT_LT(some.size(), 2 * ids.size() / count + 1) << number << "/" << count;
      EXPECT_GT(some.size(), ids.size() / count / 3) << number << "/" << count;
      all.insert(all.end(), some.begin(), some.end());
    }
    EXPECT_THAT(all, ::testing::UnorderedElementsAreArray(ids)) << count;
  }
}

TEST(Shard, AnIdStaysInItsShardWhateverOtherIdsThereAre) {
  // These must not change: stored results of several machines belong together.
  EXPECT_FALSE((Shard{1, 3}.Has("c-abi/data")));
  EXPECT_TRUE((Shard{2, 3}.Has("c-abi/data")));
  EXPECT_FALSE((Shard{3, 3}.Has("c-abi/data")));
}

TEST(Shard, OnlyWholeNumbersInRangeAreAShard) {
  EXPECT_EQ(ParseShard("2/3")->Text(), "2/3");
  EXPECT_TRUE(ParseShard("1/1")->IsWhole());
  for (const char* text : {"", "/", "2", "2/", "/3", "0/3", "4/3", "-1/3", "1/0", "1/-2", "1.5/3", "1/3/5", " 1/3",
                           "1/3 ", "+1/3", "a/b", "1/1000", "99999999999999999999/99999999999999999999"}) {
    EXPECT_FALSE(ParseShard(text)) << text;
  }
}

Header SomeHeader() {
  Header header;
  header.library = "numpy";
  header.library_version = "2.5.0";
  header.interpreter = "CPython 3.11.2";
  header.program_version = "0.1.0";
  header.seed = 1;
  header.options = DecidingOptions(Options());
  return header;
}

TEST(RunId, DependsOnWhatDecidesTheResultsAndNotOnTheMachineOrTheTime) {
  const std::string id = RunIdOf(SomeHeader(), {1, 3}, "");
  Header same = SomeHeader();
  same.machine = "another";
  same.started = "2026-01-01T00:00:00Z";
  same.command = "dlpack-cts run numpy --shard 2/3";
  EXPECT_EQ(RunIdOf(same, {2, 3}, ""), id);
  EXPECT_NE(RunIdOf(same, {2, 4}, ""), id);
  EXPECT_NE(RunIdOf(same, {2, 3}, "17"), id);
  EXPECT_TRUE(RunIdOf(same, {2, 3}, "17").starts_with("17-"));
  Options selected;
  selected.run.select = {"c-abi/*"};
  const std::function<void(Header&)> changes[] = {[](Header& header) { header.library = "torch"; },
                                                  [](Header& header) { header.library_version = "2.4.0"; },
                                                  [](Header& header) { header.interpreter = "3.12"; },
                                                  [](Header& header) { header.seed = 2; },
                                                  [](Header& header) { header.program_version = "0.2.0"; },
                                                  [](Header& header) { header.examples = 7; },
                                                  [&](Header& header) { header.options = DecidingOptions(selected); }};
  for (const auto& change : changes) {
    Header other = SomeHeader();
    change(other);
    EXPECT_NE(RunIdOf(other, {1, 3}, ""), id);
  }
}

TEST(RunId, IsTheSameForAllPairsOfARun) {
  Options options;
  options.pairs = true;
  options.libraries = {"numpy", "torch==2.13.0"};
  Header one = SomeHeader();
  one.options = DecidingOptions(options);
  Header other = one;
  other.library = "torch-to-numpy";
  other.library_version = "2.13.0";
  EXPECT_EQ(RunIdOf(one, {1, 2}, ""), RunIdOf(other, {2, 2}, ""));
  EXPECT_THAT(PairsOf(one.options),
              ElementsAre("numpy-to-numpy", "numpy-to-torch", "torch-to-numpy", "torch-to-torch"));
  EXPECT_THAT(PairsOf(SomeHeader().options), IsEmpty());
}

TEST(RunId, IsGivenByTheOptionOrElseByTheContinuousIntegration) {
  unsetenv("GITHUB_RUN_ID");
  setenv("CI_PIPELINE_ID", "42", 1);
  EXPECT_EQ(GivenRunId("mine"), "mine");
  EXPECT_EQ(GivenRunId(""), "42");
  setenv("GITHUB_RUN_ID", "43", 1);
  EXPECT_EQ(GivenRunId(""), "43");
  unsetenv("GITHUB_RUN_ID");
  unsetenv("CI_PIPELINE_ID");
  EXPECT_EQ(GivenRunId(""), "");
}

}  // namespace
}  // namespace dlpack_cts::runner
