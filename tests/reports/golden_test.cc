// tests/reports/golden_test.cc: what people and machines read, held as files.
#include <algorithm>
#include <sstream>

#include "reports/junit.h"
#include "reports/markdown.h"
#include "tests/reports/golden.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

TEST(Tree, EqualsItsGoldenFile) {
  std::ostringstream out;
  PrintTree(SampleRun(), SampleContext(), out, {}, "/tmp/report/index.html");
  ExpectGolden("tree.txt", out.str());
}

TEST(Tree, EqualsItsGoldenFileIfItShowsAll) {
  std::ostringstream out;
  PrintTree(SampleRun(), SampleContext(), out, {.verbose = true}, "/tmp/report/index.html");
  ExpectGolden("tree_verbose.txt", out.str());
}

TEST(Tree, ShowsFiveOfManyUnexpectedCausesLastInFortyLines) {
  constexpr size_t kColumns = 100;
  auto run = SampleRun();
  run.results.clear();
  const Cause cause = run.causes.front();
  run.causes.clear();
  for (int i = 0; i < 12; ++i) {
    run.causes.push_back(cause);
    run.causes.back().id = "import/place/" + std::string(150, 'x') + std::to_string(i);
    run.causes.back().as_expected = false;
    run.causes.back().expectation = "";
    run.causes.back().message = std::string(20, 'a') + std::string(90, ' ') + std::string(300, 'b');
    run.causes.back().words = {std::string(300, 'e'), "elements", std::string(300, 'w'), std::string(300, 'g')};
    run.causes.back().replay = "dlpack-cts replay x.json";
  }
  run.results = {SampleRun().results.front()};
  run.results.front().reproducer = "findings/x.py";
  run.results.front().cause = run.causes.front().id;
  std::ostringstream out;
  PrintTree(run, SampleContext(), out, {.width = kColumns});
  const std::string text = out.str();
  const std::string last = text.substr(text.find("\nUnexpected:\n") + 1);
  EXPECT_EQ(last.find("Summary"), std::string::npos);
  EXPECT_NE(last.find("\n  and 7 more; --verbose shows all\n"), std::string::npos) << last;
  EXPECT_LE(std::count(last.begin(), last.end(), '\n'), 40 + 2) << last;
  size_t rules = 0;
  for (size_t at = 0; (at = last.find("\n             rule      ", at)) != std::string::npos; ++at) ++rules;
  EXPECT_EQ(rules, 5u) << last;
}

TEST(Tree, ShowsTheWholeRuleOfASingleUnexpectedCause) {
  auto run = SampleRun();
  run.results.clear();
  run.causes.resize(1);
  run.causes.front().as_expected = false;
  run.causes.front().expectation = "";
  ReportContext context = SampleContext();
  std::string text;
  for (int i = 0; i < 40; ++i) text += "word" + std::to_string(i) + " ";
  std::ranges::find(context.rules, run.causes.front().rule, &RuleText::id)->requirement = text + "end.";
  std::ostringstream out;
  PrintTree(run, context, out, {.width = 80});
  EXPECT_NE(out.str().find("word39 end."), std::string::npos) << out.str();
}

TEST(Tree, PutsBothValuesOnOneLineOnlyIfTheRuleNeedsTheRoom) {
  auto run = SampleRun();
  run.results.clear();
  run.causes.resize(1);
  run.causes.front().as_expected = false;
  run.causes.front().expectation = "";
  run.causes.front().words = {"float32", "elements", "1", "2"};
  for (int i = 0; i < 4; ++i) run.causes.push_back(run.causes.front());
  ReportContext context = SampleContext();
  std::ostringstream wide;
  PrintTree(run, context, wide, {});
  EXPECT_NE(wide.str().find("expected  1\n             got       2\n"), std::string::npos) << wide.str();
  std::string& requirement = std::ranges::find(context.rules, run.causes.front().rule, &RuleText::id)->requirement;
  for (int i = 0; i < 40; ++i) requirement += " word";
  std::ostringstream narrow;
  PrintTree(run, context, narrow, {.width = 100});
  EXPECT_NE(narrow.str().find("expected  1; got 2\n"), std::string::npos) << narrow.str();
}

TEST(Tree, ShowsWhatIsKnownInOneLineEach) {
  std::ostringstream out;
  PrintTree(SampleRun(), SampleContext(), out, {.width = 60});
  const std::string text = out.str();
  const size_t known = text.find("Known deviations and notes:");
  ASSERT_NE(known, std::string::npos);
  std::istringstream lines(text.substr(text.find('\n', known) + 1));
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    EXPECT_TRUE(line.starts_with("    ") && line[4] != ' ') << line;
    EXPECT_LE(line.size(), 60u) << line;
  }
}

TEST(Tree, UsesColoursOnlyIfRequested) {
  std::ostringstream plain;
  std::ostringstream coloured;
  PrintTree(SampleRun(), SampleContext(), plain, {});
  PrintTree(SampleRun(), SampleContext(), coloured, {.color = true});
  EXPECT_EQ(plain.str().find('\x1b'), std::string::npos) << "a library's escape sequence reaches the terminal";
  EXPECT_NE(coloured.str().find("FAIL\x1b[0m"), std::string::npos);
}

TEST(Tree, SeparatesExpectedFromUnexpected) {
  std::ostringstream out;
  PrintTree(SampleRun(), SampleContext(), out, {.verbose = true});
  const std::string text = out.str();
  const size_t expected = text.find("Known deviations and notes:");
  const size_t unexpected = text.find("Unexpected:");
  size_t place = expected;
  for (const char* word :
       {"WARN", "NOTE", "Unexpected:", "UNSAFE", "CRASH", "LEAK", "TIMEOUT", "FAIL", "PASS", "Summary"}) {
    const size_t next = text.find(word, place);
    ASSERT_NE(next, std::string::npos) << word << " is not behind what is worse";
    place = next;
  }
  EXPECT_EQ(text.substr(expected, unexpected - expected).find("replay"), std::string::npos);
}

TEST(Tree, HasEachReasonForNotJudgingOnce) {
  auto run = SampleRun();
  Result skip = run.results[9];
  run.results.clear();
  for (const char* said : {"no bfloat16", "no fp8", ""}) {
    skip.seen.message = "no example was conclusive";
    skip.seen.got = said;
    run.results.push_back(skip);
  }
  for (int i = 0; i < 37; ++i) {
    skip.seen.message = "the adapter does not claim exchange_api";
    skip.seen.got = "";
    run.results.push_back(skip);
  }
  std::ostringstream out;
  PrintTree(run, SampleContext(), out, {});
  EXPECT_NE(out.str().find("     37 SKIP     the adapter does not claim exchange_api\n"
                           "      3 SKIP     no example was conclusive, for example: no bfloat16\n"),
            std::string::npos)
      << out.str();
}

TEST(Tree, OfALibraryWithoutFindingsIsShort) {
  auto run = SampleRun();
  run.results.resize(1);
  run.causes.clear();
  for (int i = 0; i < 200; ++i) run.results.push_back(run.results.front());
  std::ostringstream out;
  PrintTree(run, SampleContext(), out, {});
  const std::string text = out.str();
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 16);
}

TEST(Tree, ReportsAnOutdatedExpectation) {
  dlpack_cts::Run run;
  run.footer.unexpected = 2;
  std::ostringstream out;
  PrintTree(run, SampleContext(), out, {});
  EXPECT_NE(out.str().find("0 unexpected, 0 known, 2 listed but no longer seen"), std::string::npos) << out.str();
}

TEST(Tree, FitsIntoATerminalExceptForCommands) {
  std::ostringstream out;
  PrintTree(SampleRun(), SampleContext(), out, {.width = 70});
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool copied = line.substr(indent).starts_with("replay") || line.substr(indent).starts_with("reproduce") ||
                        line.substr(indent).starts_with("run next");
    const bool one_word = line.find(' ', indent) == std::string::npos;
    EXPECT_TRUE(copied || one_word || line.size() <= 70) << line;
  }
}

TEST(Tree, GroupsPairsByProducerAndConsumer) {
  auto run = SampleRun();
  for (Result& result : run.results) {
    result.producer = "numpy";
    result.consumer = "torch";
  }
  std::ostringstream out;
  PrintTree(run, SampleContext(), out, {});
  EXPECT_TRUE(out.str().starts_with("The exchange numpy -> torch does not conform to DLPack")) << out.str();
}

TEST(Tree, OfAnEmptyRunHasASummary) {
  std::ostringstream out;
  PrintTree(dlpack_cts::Run{}, SampleContext(), out, {});
  EXPECT_NE(out.str().find("0 cases: none"), std::string::npos);
}

TEST(Junit, EqualsItsGoldenFile) {
  std::ostringstream out;
  PrintJunit(SampleRun(), SampleContext(), out);
  ExpectGolden("junit.xml", out.str());
}

TEST(Markdown, EqualsItsGoldenFile) {
  std::ostringstream out;
  PrintMarkdown(SampleRun(), SampleContext(), out);
  ExpectGolden("report.md", out.str());
}

}  // namespace
}  // namespace dlpack_cts
