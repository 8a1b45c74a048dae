// tests/runner/update_test.cc: a list of known deviations after a run: what goes, what comes, and what stays as it was.
#include "runner/run/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"
#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kList[] =
    "# expectations.toml: what is known.\n"
    "\n"
    "# The first one.\n"
    "[[expect]]\n"
    "case = \"a/b/gone\"   # a comment at the end\n"
    "verdict = \"FAIL\"\n"
    "message = \"\"\"\n"
    "more\"\"\"\n"
    "why = \"issue 1\"\n"
    "\n"
    "# About what follows.\n"
    "\n"
    "# The second one.\n"
    "[[expect]]\n"
    "  rule='C-OWN-*'\n"
    "verdict=\"WARN\"\n"
    "message=\"x\"\n"
    "why = \"issue 2\"\n"
    "\n"
    "[[expect]]\n"
    "cause = \"import/release/old\"\n"
    "verdict = \"LEAK\"\n"
    "why = \"issue 3\"\n";

class UpdateTest : public ::testing::Test {
 protected:
  Updated Of(const std::string& text, const std::vector<StaleEntry>& stale, const dlpack_cts::Run& run = {}) {
    return Update(text, ChangesOf(Expectations::Read(folder_.Write("expectations.toml", text)), stale, run));
  }
  Expectations Read(const std::string& text) { return Expectations::Read(folder_.Write("again.toml", text)); }

  TestFolder folder_;
};

Cause ACause() {
  Cause cause;
  cause.id = "import/place/byte-offset";
  cause.rule = "C-DATA-01";
  cause.verdict = Verdict::kFail;
  cause.as_expected = false;
  cause.fact = "importS.memory";
  cause.words = {"float32, shape (), byte_offset 64", "elements", "the element = 1.0", "the \"element\"\n = 0.0"};
  cause.cases = {"c-abi/data/byte-offset-is-added"};
  return cause;
}

Result AResult(const std::string& id) {
  Result result;
  result.seen.case_id = id;
  result.verdict = Verdict::kCrash;
  result.as_expected = false;
  result.breached = {"C-OWN-01"};
  result.seen.message = "terminated by SIGSEGV \\ \"x\"\nand more";
  return result;
}

TEST_F(UpdateTest, KeepsTheTextIfNothingChanged) {
  const Updated updated = Of(kList, {});
  EXPECT_EQ(updated.text, kList);
  EXPECT_EQ(updated.kept, 3u);
  EXPECT_THAT(updated.removed, IsEmpty());
}

TEST_F(UpdateTest, RemovesAnEntryWithItsComment) {
  const Updated updated = Of(kList, {{0, "it gave PASS"}, {2, "it did not show"}});
  EXPECT_EQ(updated.text,
            "# expectations.toml: what is known.\n"
            "\n"
            "# About what follows.\n"
            "\n"
            "# The second one.\n"
            "[[expect]]\n"
            "  rule='C-OWN-*'\n"
            "verdict=\"WARN\"\n"
            "message=\"x\"\n"
            "why = \"issue 2\"\n"
            "\n");
  EXPECT_THAT(updated.removed, ElementsAre("case a/b/gone (issue 1): it gave PASS",
                                           "cause import/release/old (issue 3): it did not show"));
  EXPECT_EQ(updated.kept, 1u);
}

TEST_F(UpdateTest, KeepsTheCommentAtTheStartOfTheFile) {
  const std::string entry = "[[expect]]\ncase = \"a\"\nverdict = \"FAIL\"\nmessage = \"\"\nwhy = \"w\"\n";
  EXPECT_EQ(Of("# About the file.\n" + entry, {{0, ""}}).text, "# About the file.\n");
}

TEST_F(UpdateTest, AddsTheCauseOfAResultAndNotTheResult) {
  dlpack_cts::Run run;
  run.causes = {ACause()};
  run.results = {AResult("c-abi/data/byte-offset-is-added")};
  const Updated updated = Of(kList, {}, run);
  EXPECT_EQ(updated.text, std::string(kList) +
                              "\n# C-DATA-01; example: float32, shape (), byte_offset 64\n"
                              "[[expect]]\n"
                              "cause = \"import/place/byte-offset\"\n"
                              "verdict = \"FAIL\"\n"
                              "why = \"not yet explained: elements: expected the element = 1.0, got the "
                              "\\\"element\\\"\\\\n = 0.0\"\n");
  EXPECT_EQ(updated.added, 1u);
  Expectations list = Read(updated.text);
  Cause again = ACause();
  list.Apply(again, "1.0");
  EXPECT_THAT(again.expectation, HasSubstr("not yet explained"));
}

TEST_F(UpdateTest, AddsAResultWithoutACauseToAMissingFile) {
  dlpack_cts::Run run;
  run.header.library = "toy";
  run.results = {AResult("a/b/dies")};
  const Updated updated = Of("", {}, run);
  EXPECT_THAT(updated.text, HasSubstr("# Known deviations of toy"));
  Expectations list = Read(updated.text);
  ASSERT_EQ(list.entries().size(), 1u);
  EXPECT_EQ(list.entries()[0].message, "terminated by SIGSEGV \\ \"x\"");
  Result again = AResult("a/b/dies");
  list.Apply(again);
  EXPECT_TRUE(again.as_expected);
}

TEST_F(UpdateTest, KeepsExpectedEntries) {
  dlpack_cts::Run run;
  run.causes = {ACause()};
  run.causes[0].as_expected = true;
  run.results = {AResult("a/b/dies")};
  run.results[0].as_expected = true;
  EXPECT_EQ(Of(kList, {}, run).text, kList);
}

TEST_F(UpdateTest, RefusesAListWithoutTables) {
  const std::string inlined = "expect = [{case = \"a\", verdict = \"FAIL\", message = \"\", why = \"w\"}]\n";
  EXPECT_THROW(Of(inlined, {{0, ""}}), Failure);
}

}  // namespace
}  // namespace dlpack_cts::runner
