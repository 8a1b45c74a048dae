// tests/results/whole_file_test.cc: files are read within a limit, and replaced at once.
#include "results/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

using ::testing::EndsWith;

class WholeFileTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  int64_t Entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("cts_whole_file_" + std::to_string(getpid()));
  static std::string ErrorOf(const std::string& path, size_t most) {
    return MessageOf([&] { ReadWholeFile(path, most); });
  }

  const std::string path_ = folder_ / "file";
};

TEST_F(WholeFileTest, LeftoversOfKilledProgramsAreRemoved) {
  const pid_t ended = fork();
  if (ended == 0) _exit(0);
  waitpid(ended, nullptr, 0);
  const std::string left = ".dlpack-cts-" + std::to_string(ended) + "-7";
  const std::string own = ".dlpack-cts-" + std::to_string(getpid()) + "-1000";
  const std::filesystem::path fresh = folder_ / "fresh";  // a folder is looked at once
  std::filesystem::create_directories(fresh);
  for (const std::string& name : {left, left + ".txt", own}) std::ofstream(fresh / name) << "x";
  ASSERT_EQ(WriteWholeFile(fresh / "file", "text"), 0);
  EXPECT_FALSE(std::filesystem::exists(fresh / left));
  EXPECT_TRUE(std::filesystem::exists(fresh / (left + ".txt")));
  EXPECT_TRUE(std::filesystem::exists(fresh / own)) << "its program still writes it";
}

TEST_F(WholeFileTest, GrowsByWholeLines) {
  GrowingFile file;
  EXPECT_FALSE(file.Begin(folder_ / "missing" / "file", "header\n"));
  EXPECT_FALSE(file.begun());
  ASSERT_EQ(WriteWholeFile(path_, "earlier"), 0);
  ASSERT_TRUE(file.Begin(path_, "header\n"));
  file.Append("one\n");
  EXPECT_EQ(ReadWholeFile(path_, 100), "header\none\n");
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{15, usual.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  file.Append("too long\n");
  file.Append("two\n");
  setrlimit(RLIMIT_FSIZE, &usual);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(ReadWholeFile(path_, 100), "header\none\ntwo\n");
  EXPECT_EQ(Entries(), 1);
}

TEST_F(WholeFileTest, ReadsWhatItWrote) {
  const std::string written = std::string("a\0b\n", 4) + std::string(3 << 20, 'x');
  ASSERT_EQ(WriteWholeFile(path_, written), 0);
  EXPECT_EQ(ReadWholeFile(path_, written.size()), written);
  ASSERT_EQ(WriteWholeFile(path_, ""), 0);
  EXPECT_EQ(ReadWholeFile(path_, 0), "");
  EXPECT_EQ(Entries(), 1);
}

TEST_F(WholeFileTest, RefusesAFileAboveTheLimit) {
  ASSERT_EQ(WriteWholeFile(path_, std::string((1 << 20) + 1, 'x')), 0);
  EXPECT_THAT(ErrorOf(path_, 1 << 20), EndsWith("file: cannot be read: it is larger than 1 MB"));
  EXPECT_THAT(ErrorOf("/dev/zero", 1 << 20), EndsWith("it is larger than 1 MB"));
}

TEST_F(WholeFileTest, ReadOfAPipeEndsAfterAnInterrupt) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EndReadsIf([] { return true; });
  EXPECT_EQ(ErrorOf(path_, 1), "interrupted");
  EndReadsIf(nullptr);
}

TEST_F(WholeFileTest, ReadsWhatAPipeReceivesLater) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream pipe(path_);
    pipe << "a" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pipe << "b";
  });
  EXPECT_EQ(ReadWholeFile(path_, 9), "ab");
  writer.join();
}

TEST_F(WholeFileTest, ReportsTheReason) {
  EXPECT_EQ(ErrorOf(path_, 1), path_ + ": cannot be read: No such file or directory");
  EXPECT_THAT(ErrorOf(folder_, 1), EndsWith("cannot be read: Is a directory"));
  EXPECT_EQ(WriteWholeFile(folder_ / "none" / "file", "x"), ENOENT);
}

TEST_F(WholeFileTest, FailedWriteKeepsTheOldFileAndLeavesNoOther) {
  std::filesystem::create_directories(folder_ / "file" / "inner");
  EXPECT_EQ(WriteWholeFile(path_, "x"), EISDIR);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "file" / "inner"));
  EXPECT_EQ(Entries(), 1);
}

}  // namespace
}  // namespace dlpack_cts
