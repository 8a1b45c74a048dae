// tests/reports/write_test.cc: the folder is complete and readable, or one sentence says why it is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/ndjson.h"
#include "reports/reports.h"
#include "tests/reports/golden.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;

class WriteReportsTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }
  bool Write(const std::filesystem::path& folder) {
    const auto unwritten = FailureOf([&] { WriteReports(SampleRun(), SampleContext(), folder.string()); });
    error_ = unwritten ? unwritten->what() : "";
    hint_ = unwritten ? unwritten->hint() : "";
    return !unwritten;
  }

  const std::filesystem::path root_ =
      std::filesystem::path(::testing::TempDir()) / ("cts_write_" + std::to_string(getpid()));
  std::string error_;
  std::string hint_;
};

TEST_F(WriteReportsTest, MakesTheFolderWithAllFiles) {
  ASSERT_TRUE(Write(root_ / "deep/er")) << error_;
  for (const char* name : {"results.ndjson", "junit.xml", "report.md", "index.html"}) {
    EXPECT_GT(std::filesystem::file_size(root_ / "deep/er" / name), 500u) << name;
  }
  for (const char* name : {"results.sarif", "badge.json", "badge.svg"}) {
    EXPECT_GT(std::filesystem::file_size(root_ / "deep/er" / name), 50u) << name;
  }
}

TEST_F(WriteReportsTest, WritesResultsThatReadBackEqual) {
  ASSERT_TRUE(Write(root_)) << error_;
  const dlpack_cts::Run read = ReadRun(root_ / "results.ndjson");
  std::ostringstream again;
  PrintNdjson(read, again);
  EXPECT_EQ(again.str(), ReadText((root_ / "results.ndjson").string()));
  EXPECT_EQ(read.results.size(), SampleRun().results.size());
  EXPECT_EQ(read.results[0].seen.seed, SampleRun().results[0].seen.seed);
  EXPECT_TRUE(read.footer.interrupted);
}

TEST_F(WriteReportsTest, ReportsWhyAFileIsIncomplete) {
  std::filesystem::create_directories(root_);
  std::ofstream(root_ / "index.html") << "earlier";
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, usual.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const bool written = Write(root_);
  setrlimit(RLIMIT_FSIZE, &usual);
  signal(SIGXFSZ, handler);
  EXPECT_FALSE(written);
  EXPECT_THAT(error_, HasSubstr("cannot be written: File too large"));
  EXPECT_THAT(hint_, HasSubstr("--out"));
  EXPECT_EQ(ReadText((root_ / "index.html").string()), "earlier");
}

TEST_F(WriteReportsTest, DoesNotWriteThroughALink) {
  std::filesystem::create_directories(root_);
  std::ofstream(root_ / "precious") << "precious";
  std::filesystem::create_symlink(root_ / "precious", root_ / "report.md");
  ASSERT_TRUE(Write(root_)) << error_;
  EXPECT_EQ(ReadText((root_ / "precious").string()), "precious");
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(root_ / "report.md")));
}

TEST_F(WriteReportsTest, ReportsThatTheFolderIsAFile) {
  std::ofstream(root_.string()) << "x";
  EXPECT_FALSE(Write(root_ / "out"));
  EXPECT_THAT(error_, HasSubstr("the output folder cannot be made: Not a directory"));
  EXPECT_FALSE(Write(root_));
  EXPECT_THAT(error_, HasSubstr(root_.string()));
}

TEST_F(WriteReportsTest, ReportsAFileWithoutPermission) {
  // A folder in the file's place refuses root too, whom permissions do not stop.
  std::filesystem::create_directories(root_ / "junit.xml");
  EXPECT_FALSE(Write(root_));
  EXPECT_THAT(error_, HasSubstr("junit.xml: cannot be written: Is a directory"));
}

TEST_F(WriteReportsTest, ReportsAFolderThatCannotBeMade) {
  EXPECT_FALSE(Write("/proc/no-such-folder/out"));
  EXPECT_THAT(error_, HasSubstr("the output folder cannot be made"));
}

}  // namespace
}  // namespace dlpack_cts
