// tests/reports/history_test.cc: the releases of a library: one line each, in the order of their versions.
#include "reports/site/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/failure.h"
#include "results/tally.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LibraryRelease Of(const std::string& version, const std::vector<std::string>& yes, const std::string& reason = "") {
  LibraryRelease release;
  release.version = version;
  release.reason = reason;
  if (!yes.empty()) release.features = {{.answer = Support::kYes, .ids = yes}};
  return release;
}

/// The release refuses it.
LibraryRelease Without(const std::string& version) {
  LibraryRelease release = Of(version, {"copy"});
  release.features.front().answer = Support::kNo;
  return release;
}

History Made(const std::vector<LibraryRelease>& releases) {
  History history{.library = "mine", .releases = {}};
  for (const LibraryRelease& release : releases) Add(release, history);
  return history;
}

dlpack_cts::Run EndedRun() {
  dlpack_cts::Run run = SampleRun();
  run.footer.interrupted = false;
  run.footer.complete = true;
  return run;
}

std::vector<std::string> VersionsOf(const History& history) {
  std::vector<std::string> versions;
  for (const LibraryRelease& release : history.releases) versions.push_back(release.version);
  return versions;
}

std::string Words(const std::vector<LibraryRelease>& releases) {
  return SpanWords(SpanOf(Made(releases), releases.back().version, "copy"));
}

class HistoryFileTest : public ::testing::Test {
 protected:
  ~HistoryFileTest() override { std::filesystem::remove(path_); }

  History Read(const std::string& text) {
    std::ofstream(path_) << text;
    return ReadHistory(path_);
  }

  std::string Refusal(const std::string& text) {
    try {
      Read(text);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "";
  }

  std::string path_ = ::testing::TempDir() + "history.ndjson";
};

TEST(History, VersionsAreInTheOrderOfTheirNumbers) {
  const History history =
      Made({Of("1.10", {}), Of("1.9.1", {}), Of("0.1.8.post1", {}), Of("2.0", {}), Of("0.1.8.post0", {})});
  EXPECT_THAT(VersionsOf(history), ElementsAre("0.1.8.post0", "0.1.8.post1", "1.9.1", "1.10", "2.0"));
}

TEST(History, ReleaseReplacesTheOneWithItsVersion) {
  History history = Made({Of("1.0", {}, "It was not installed."), Of("2.0", {})});
  Add(Of("1.0", {"copy"}), history);
  EXPECT_THAT(VersionsOf(history), ElementsAre("1.0", "2.0"));
  EXPECT_TRUE(history.releases.front().IsJudged());
}

TEST(History, FeatureBeginsAtTheFirstReleaseThatKeepsIt) {
  EXPECT_EQ(Words({Of("1.0", {}), Of("1.1", {"copy"}), Of("1.2", {"copy"})}), "since 1.1");
  EXPECT_EQ(Words({Of("1.0", {"copy"}), Without("1.1"), Of("1.2", {"copy"})}), "since 1.2");
}

TEST(History, FeatureOfTheOldestReleaseMayBeOlder) {
  EXPECT_EQ(Words({Of("1.0", {"copy"}), Of("1.1", {"copy"})}), "since 1.0 or earlier");
}

TEST(History, FeatureThatTheNewestReleaseDoesNotShowIsLost) {
  EXPECT_EQ(Words({Of("1.0", {"copy"}), Without("1.1"), Without("1.2")}), "lost in 1.1");
  EXPECT_EQ(Words({Without("1.0"), Without("1.1")}), "");
}

TEST(History, ReleaseThatWasNotJudgedNeitherBeginsNorLosesAFeature) {
  EXPECT_EQ(Words({Of("0.9", {}, "no wheel"), Of("1.0", {"copy"}), Of("1.1", {}, "no wheel"), Of("1.2", {"copy"})}),
            "since 1.0 or earlier");
}

TEST(History, UnknownAnswerNeitherBeginsNorLosesAFeature) {
  EXPECT_EQ(Words({Of("1.0", {"copy"}), Of("1.1", {})}), "");
  EXPECT_EQ(Words({Of("1.0", {"copy"}), Of("1.1", {}), Of("1.2", {"copy"})}), "since 1.0 or earlier");
  EXPECT_EQ(Words({Of("1.0", {"copy"}), Of("1.1", {}), Without("2.0")}), "lost in 2.0");
}

TEST(History, NewerReleasesDoNotCountForAnOlderOne) {
  const History history = Made({Of("1.0", {}), Of("1.1", {"copy"}), Of("1.2", {"copy"})});
  EXPECT_EQ(SpanWords(SpanOf(history, "1.0", "copy")), "");
  EXPECT_EQ(SpanWords(SpanOf(history, "1.1", "copy")), "since 1.1");
}

TEST(History, OnlyYesAndPartlyShowAFeature) {
  LibraryRelease release = Of("1.0", {"copy"});
  release.features.front().answer = Support::kPartly;
  EXPECT_EQ(Words({release}), "since 1.0 or earlier");
  release.features.front().answer = Support::kWrong;
  EXPECT_EQ(Words({release}), "");
}

TEST(History, LineHasTheConclusionAndTheAnswers) {
  const dlpack_cts::Run run = EndedRun();
  const std::string passed = std::ranges::find(run.results, Verdict::kPass, &Result::verdict)->seen.case_id;
  const LibraryRelease release =
      ReleaseOf(run, {}, {{.id = "shown", .cases = {passed}}, {.id = "other", .cases = {"a/b/c"}}});
  EXPECT_TRUE(release.IsJudged());
  EXPECT_EQ(release.version, run.header.library_version);
  EXPECT_EQ(release.interpreter, run.header.interpreter);
  EXPECT_EQ(release.word, "does not conform");
  EXPECT_GT(release.counts.at("FAIL"), 0);
  EXPECT_GT(release.rules_violated, 0);
  ASSERT_EQ(release.features.size(), 1u);
  EXPECT_EQ(release.features.front().answer, Support::kYes);
  EXPECT_THAT(release.features.front().ids, ElementsAre("shown"));
  EXPECT_FALSE(release.causes.empty());
}

TEST(History, RunThatDidNotEndHasItsReason) {
  dlpack_cts::Run run = EndedRun();
  run.footer.complete = false;
  const LibraryRelease release = ReleaseOf(run, {}, {});
  EXPECT_EQ(release.reason, "The time limit of the run passed.");
  EXPECT_TRUE(release.causes.empty());
}

TEST(History, RunThatJudgedNothingHasItsReason) {
  dlpack_cts::Run run = EndedRun();
  std::erase_if(run.results, [](const Result& result) { return IsJudged(result.verdict); });
  run.causes.clear();
  run.header.profile.clear();
  EXPECT_THAT(ReleaseOf(run, {}, {}).reason, HasSubstr("has none of the functions"));
}

TEST_F(HistoryFileTest, IsReadAsItWasWritten) {
  LibraryRelease full = ReleaseOf(EndedRun(), {}, {});
  full.features = {{.answer = Support::kNo, .ids = {"copy"}}};
  const std::string text = TextOf(Made({Of("0.1", {}, "No matching distribution found for mine==0.1"), full}));
  EXPECT_EQ(TextOf(Read(text)), text);
}

TEST_F(HistoryFileTest, WrongLineIsNamed) {
  const std::string first = R"({"history":1,"library":"mine","type":"history"})"
                            "\n";
  EXPECT_THAT(Refusal(""), HasSubstr("the file is empty"));
  EXPECT_THAT(Refusal("{}\n"), HasSubstr("line 1"));
  EXPECT_THAT(Refusal(R"({"history":2,"library":"mine","type":"history"})"), HasSubstr("is not 1"));
  EXPECT_THAT(Refusal(first + R"({"type":"release","versions":"1"})"), HasSubstr("line 2"));
}

}  // namespace
}  // namespace dlpack_cts
