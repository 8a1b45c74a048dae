// tests/results/compact_test.cc: the compact form keeps what the pages of a site show, and nothing of the machine.
#include "results/compact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/failure.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Result Case(const std::string& id, Verdict verdict) {
  Result result;
  result.library = "numpy";
  result.library_version = "2.4.6";
  result.suite = id.substr(0, id.rfind('/'));
  result.rules = {"C-DATA-01"};
  result.verdict = verdict;
  result.as_expected = verdict == Verdict::kPass;
  result.seen.case_id = id;
  result.seen.recipe = nlohmann::json::object({{"steps", "many"}});
  result.seen.seed = 7;
  return result;
}

Run Sample() {
  Run run;
  run.header.library = "numpy";
  run.header.library_version = "2.4.6";
  run.header.environment = "/home/somebody/env";
  run.header.command = "/home/somebody/dlpack-cts run numpy --out /home/somebody/out";
  run.header.seed = 3;
  run.header.profile = {{"takes", "structs", "legacy structs only"}};
  run.results = {Case("c-abi/data/a", Verdict::kPass), Case("c-abi/data/b", Verdict::kFail)};
  run.results[1].breached = {"C-DATA-01"};
  run.results[1].seen.message = "the elements are wrong";
  run.results[1].cause = "import/place/byte-offset";
  run.results[1].hostile = true;
  Cause cause;
  cause.id = "import/place/byte-offset";
  cause.rule = "C-DATA-01";
  cause.words = {"float32, byte_offset 4", "elements", "0", "1"};
  cause.cases = {"c-abi/data/b"};
  cause.recipe = nlohmann::json::object({{"steps", "many"}});
  run.causes = {cause};
  run.readings = {{"A-16", "C-VERSION-05", "a question", {{"refuses it", 4}}}};
  run.footer.counts = CountsOf(run.results);
  run.footer.unexpected = CountUnexpected(run);
  return run;
}

std::string WrittenTo(const std::string& name, const std::string& text) {
  std::string path = (std::filesystem::path(::testing::TempDir()) / name).string();
  std::ofstream(path) << text;
  return path;
}

TEST(Compact, KeepsVerdictsMessagesCausesAndChoices) {
  const dlpack_cts::Run run = Sample();
  const std::string path = WrittenTo("compact_kept.ndjson", CompactText(run));
  EXPECT_TRUE(IsCompact(path));
  const dlpack_cts::Run read = ReadCompact(path);
  ASSERT_EQ(read.results.size(), 2u);
  EXPECT_EQ(read.results[0].verdict, Verdict::kPass);
  EXPECT_EQ(read.results[0].suite, "c-abi/data");
  EXPECT_EQ(read.results[0].library_version, "2.4.6");
  EXPECT_EQ(read.results[1].verdict, Verdict::kFail);
  EXPECT_EQ(read.results[1].breached, run.results[1].breached);
  EXPECT_EQ(read.results[1].seen.message, "the elements are wrong");
  EXPECT_TRUE(read.results[1].hostile);
  EXPECT_FALSE(read.results[1].as_expected);
  ASSERT_EQ(read.causes.size(), 1u);
  EXPECT_EQ(read.causes[0].rule, "C-DATA-01");
  EXPECT_EQ(read.causes[0].words.example, "float32, byte_offset 4");
  ASSERT_EQ(read.readings.size(), 1u);
  EXPECT_EQ(read.header.profile.size(), 1u);
  EXPECT_EQ(CountsOf(read.results), read.footer.counts);
  EXPECT_EQ(CompactText(read), CompactText(run));
}

TEST(Compact, LeavesOutEvidenceAndPathsOfTheMachine) {
  const std::string text = CompactText(Sample());
  EXPECT_THAT(text, Not(HasSubstr("somebody")));
  EXPECT_THAT(text, Not(HasSubstr("steps")));
  EXPECT_EQ(ReadCompact(WrittenTo("compact_paths.ndjson", text)).header.command, "dlpack-cts run numpy --seed 3");
}

TEST(Compact, RefusesARunThatDidNotEnd) {
  dlpack_cts::Run run = Sample();
  run.footer.complete = false;
  EXPECT_THROW(CompactText(run), Failure);
}

TEST(Compact, NamesTheLineThatIsWrong) {
  std::string text = CompactText(Sample());
  const std::string cut = text.substr(0, text.rfind("{\"complete\""));
  EXPECT_THROW(ReadCompact(WrittenTo("compact_cut.ndjson", cut)), Failure);
  text.replace(text.find("\"verdict\":\"FAIL\""), 16, "\"verdict\":\"FALL\"");
  try {
    ReadCompact(WrittenTo("compact_word.ndjson", text));
    FAIL() << "a verdict that does not exist was read";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("line 4: field \"verdict\""));
  }
}

TEST(Compact, IsNotAResultFile) {
  EXPECT_FALSE(IsCompact(WrittenTo("compact_none.ndjson", "{\"type\":\"header\"}\n")));
  EXPECT_FALSE(IsCompact(::testing::TempDir()));
}

}  // namespace
}  // namespace dlpack_cts
