// tests/reports/issue_test.cc: the draft of an issue has what a maintainer needs, and escapes what a library says.
#include "reports/issue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace dlpack_cts {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Run SampleRun() {
  Run run;
  run.header.library = "numpy";
  run.header.library_version = "2.4.6";
  run.header.interpreter = "CPython 3.11.7";
  run.header.machine = "Linux x86_64";
  run.header.program_version = "0.1.0";
  run.header.command = "dlpack-cts run numpy";
  return run;
}

Cause SampleCause() {
  Cause cause;
  cause.id = "import/place/byte-offset";
  cause.rule = "C-DATA-01";
  cause.message = "the elements are not those at data + byte_offset";
  cause.words = {"float32, shape (), byte_offset 4", "elements", "the element = 2.0", "the element = *3*"};
  cause.replay = "dlpack-cts replay OUT/causes/x.json";
  return cause;
}

IssueContext SampleContext() {
  return {"A consumer must add byte_offset.",
          "dlpack.h of DLPack 1.3, lines 1-2",
          {"https://example.org/dlpack.h#L1-L2"},
          ""};
}

TEST(IssueDraft, HasTitleExpectationSourceAndVersions) {
  const std::string draft = IssueDraft(SampleRun(), SampleCause(), SampleContext());
  EXPECT_THAT(draft, StartsWith("# numpy 2.4.6: the elements are not those at data + byte_offset\n"));
  EXPECT_THAT(draft, HasSubstr("A consumer must add byte_offset."));
  EXPECT_THAT(draft, HasSubstr("- <https://example.org/dlpack.h#L1-L2>\n"));
  EXPECT_THAT(draft, HasSubstr("- expected: the element = 2.0\n"));
  EXPECT_THAT(draft, HasSubstr("| Python | CPython 3.11.7 |\n"));
  EXPECT_THAT(draft, HasSubstr("| dlpack-cts | 0.1.0 |\n"));
}

TEST(IssueDraft, EscapesWhatTheLibrarySays) {
  EXPECT_THAT(IssueDraft(SampleRun(), SampleCause(), SampleContext()), HasSubstr("- got: the element = \\*3\\*\n"));
}

TEST(IssueDraft, HasTheScriptInAFenceThatTheScriptDoesNotContain) {
  IssueContext context = SampleContext();
  context.script = "print('''```''')";
  const std::string draft = IssueDraft(SampleRun(), SampleCause(), context);
  EXPECT_THAT(draft, HasSubstr("\n````python\nprint('''```''')\n````\n"));
  EXPECT_THAT(draft, HasSubstr("The same with dlpack-cts:"));
}

TEST(IssueDraft, HasTheReplayCommandWithoutAScript) {
  const std::string draft = IssueDraft(SampleRun(), SampleCause(), SampleContext());
  EXPECT_THAT(draft, HasSubstr("```sh\ndlpack-cts replay OUT/causes/x.json\n```\n"));
  EXPECT_THAT(draft, Not(HasSubstr("<details>")));
  EXPECT_THAT(draft, HasSubstr("dlpack-cts replay OUT/causes/x.json --debugger 'gdb --args'\n"));
  EXPECT_THAT(draft, HasSubstr("dlpack-cts replay OUT/causes/x.json --debugger valgrind\n"));
}

TEST(IssueDraft, NamesNoDebuggerWithAScript) {
  IssueContext context = SampleContext();
  context.script = "pass";
  EXPECT_THAT(IssueDraft(SampleRun(), SampleCause(), context), Not(HasSubstr("--debugger")));
}

}  // namespace
}  // namespace dlpack_cts
