// tests/reports/golden_test.cc: what people and machines read, held as files.
#include <sstream>

#include "reports/junit.h"
#include "reports/markdown.h"
#include "tests/reports/golden.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

TEST(Tree, ReadsAsItsGoldenFile) {
  std::ostringstream out;
  PrintTree(SampleRun(), out, false, "/tmp/report/index.html");
  ExpectGolden("tree.txt", out.str());
}

TEST(Tree, ColoursOnlyWhenAsked) {
  std::ostringstream plain;
  std::ostringstream coloured;
  PrintTree(SampleRun(), plain, false);
  PrintTree(SampleRun(), coloured, true);
  EXPECT_EQ(plain.str().find('\x1b'), std::string::npos) << "a library's escape sequence reaches the terminal";
  EXPECT_NE(coloured.str().find("\x1b[1;31mFAIL\x1b[0m"), std::string::npos);
}

TEST(Tree, GroupsPairsByProducerAndConsumer) {
  auto run = SampleRun();
  for (Result& result : run.results) {
    result.producer = "numpy";
    result.consumer = "torch";
  }
  std::ostringstream out;
  PrintTree(run, out, false);
  EXPECT_TRUE(out.str().starts_with("numpy -> torch\n")) << out.str();
}

TEST(Tree, OfAnEmptyRunStillSumsUp) {
  std::ostringstream out;
  PrintTree(dlpack_cts::Run{}, out, false);
  EXPECT_NE(out.str().find("0 cases: none"), std::string::npos);
}

TEST(Junit, ReadsAsItsGoldenFile) {
  std::ostringstream out;
  PrintJunit(SampleRun(), out);
  ExpectGolden("junit.xml", out.str());
}

TEST(Markdown, ReadsAsItsGoldenFile) {
  std::ostringstream out;
  PrintMarkdown(SampleRun(), SampleContext(), out);
  ExpectGolden("report.md", out.str());
}

}  // namespace
}  // namespace dlpack_cts
