// tests/results/read_run_test.cc: a damaged result file is refused with its line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "results/result.h"
#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class ReadRunTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(path_); }

  std::string ErrorOf(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return ErrorOfFile(path_);
  }
  std::string ErrorOfFile(const std::string& path) {
    return MessageOf([&] { run_ = ReadRun(path); });
  }
  static std::string Line(const nlohmann::json& json) { return json.dump() + "\n"; }
  static std::string ResultLine() {
    Result result;
    result.level = Level::kMust;
    result.seen.observed = Observed::kHeld;
    return Line(ToJson(result));
  }
  static std::string Whole() { return Line(ToJson(Header{})) + ResultLine() + ResultLine() + Line(ToJson(Footer{})); }

  const std::string path_ = ::testing::TempDir() + "cts_read_run_" + std::to_string(getpid());
  dlpack_cts::Run run_;
};

TEST_F(ReadRunTest, ReadsAWholeFile) {
  EXPECT_EQ(ErrorOf(Whole()), "");
  EXPECT_EQ(run_.results.size(), 2u);
}

TEST_F(ReadRunTest, ReportsAFileWithoutFooterAsTruncated) {
  EXPECT_THAT(ErrorOf(Line(ToJson(Header{})) + ResultLine()),
              EndsWith("the file is truncated: no footer line after line 2; copy the whole file, or run again"));
}

TEST_F(ReadRunTest, ReportsWhereALineIsTruncated) {
  const std::string text = Whole();
  EXPECT_THAT(ErrorOf(text.substr(0, text.size() - 10)),
              HasSubstr("line 4: this is not valid JSON; the file is damaged"));
}

TEST_F(ReadRunTest, RefusesEveryTruncatedFile) {
  const std::string text = Whole();
  for (size_t size = 0; size + 1 < text.size(); size += 7) EXPECT_NE(ErrorOf(text.substr(0, size)), "") << size;
}

TEST_F(ReadRunTest, NamesLineAndField) {
  std::string text = Whole();
  const size_t at = text.find("\"PASS\"");
  text.replace(at, 6, "\"GOOD\"");
  EXPECT_EQ(ErrorOf(text), path_ + ": line 2: field \"verdict\": \"GOOD\" is not a verdict");
}

TEST_F(ReadRunTest, RequiresHeaderFirstAndFooterLast) {
  EXPECT_THAT(ErrorOf(ResultLine() + Line(ToJson(Footer{}))),
              HasSubstr("line 1: field \"type\": \"result\" is not \"header\""));
  EXPECT_THAT(ErrorOf(Whole() + ResultLine()), HasSubstr("line 5: no line may follow the footer"));
  EXPECT_THAT(ErrorOf(Line(ToJson(Header{})) + Whole()), HasSubstr("line 2: field \"type\""));
}

TEST_F(ReadRunTest, ReadsAProvisionalFile) {
  Header header;
  header.provisional = true;
  Result result;
  result.provisional = true;
  result.seen.observed = Observed::kHeld;
  result.seen.case_id = "a/1";
  const std::string first = Line(ToJson(header)) + Line(ToJson(result));
  result.seen.case_id = "a/2";
  std::string text = first + Line(ToJson(result));
  result.seen.case_id = "a/1";
  result.verdict = Verdict::kFail;
  result.as_expected = false;
  text += Line(ToJson(result));
  for (const char* end : {"", "{\"as_expected\"", R"({"type": "footer"})"}) {
    EXPECT_EQ(ErrorOf(text + end), "");
    ASSERT_EQ(run_.results.size(), 2u);
    EXPECT_EQ(run_.results[1].seen.case_id, "a/1");
    EXPECT_EQ(run_.footer.unexpected, 1);
    EXPECT_TRUE(run_.footer.interrupted);
  }
  EXPECT_THAT(ErrorOf(text + Line(ToJson(Footer{}))), HasSubstr("line 5: field \"type\": \"footer\" is not"));
  EXPECT_THAT(ErrorOf(first + ResultLine()),
              HasSubstr("line 3: field \"provisional\": is not the same as in the header"));
  EXPECT_THAT(ErrorOf(Line(ToJson(Header{})) + Line(ToJson(result))), HasSubstr("line 2: field \"provisional\""));
}

TEST_F(ReadRunTest, RequiresBothLibrariesOfAPair) {
  Result result;
  result.seen.observed = Observed::kHeld;
  result.producer = "numpy";
  EXPECT_THAT(ErrorOf(Line(ToJson(Header{})) + Line(ToJson(result))), HasSubstr("field \"consumer\": is missing"));
}

TEST_F(ReadRunTest, RefusesCountsOfUnknownVerdicts) {
  Footer footer;
  footer.counts = {{"GOOD", 1}};
  EXPECT_THAT(ErrorOf(Line(ToJson(Header{})) + Line(ToJson(footer))), HasSubstr("field \"counts\": \"GOOD\""));
}

TEST_F(ReadRunTest, ReportsAnEmptyOrMissingFile) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("is empty"));
  EXPECT_EQ(ErrorOfFile("/nonexistent/r.ndjson"), "/nonexistent/r.ndjson: cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOfFile("/tmp"), "/tmp: cannot be read: Is a directory");
}

}  // namespace
}  // namespace dlpack_cts
