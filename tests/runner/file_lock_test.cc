// tests/runner/file_lock_test.cc: who waits for the lock of an environment, and who is said to hold it.
#include "runner/environment/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kWaits[] = "waiting for another run";

class FileLocks : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/mine.lock"; }

 private:
  TestFolder folder_;
};

TEST_F(FileLocks, RunsThatLookAtACompleteEnvironmentDoNotWaitForEachOther) {
  const int other = open(path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(flock(other, LOCK_SH), 0);
  testing::internal::CaptureStderr();
  {
    const FileLock first(path(), Hold::kTogether);
    const FileLock second(path(), Hold::kTogether);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  close(other);
}

TEST_F(FileLocks, AThreadOfTheSameRunIsWaitedForWithoutAMessage) {
  testing::internal::CaptureStderr();
  std::atomic<bool> released = false;
  bool early = false;
  std::thread waits;
  {
    const FileLock first(path());
    waits = std::thread([&] {
      const FileLock second(path(), Hold::kTogether);
      early = !released;
    });
    usleep(250'000);
    released = true;
  }
  waits.join();
  EXPECT_FALSE(early);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(FileLocks, AnotherRunThatMakesTheEnvironmentIsWaitedForWithAMessage) {
  for (const Hold hold : {Hold::kAlone, Hold::kTogether}) {
    const int other = open(path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_EQ(flock(other, LOCK_EX), 0);
    testing::internal::CaptureStderr();
    std::thread waits([&] { const FileLock lock(path(), hold); });
    usleep(250'000);
    close(other);
    waits.join();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find(kWaits), std::string::npos);
    EXPECT_EQ(said.find(kWaits), said.rfind(kWaits));
  }
}

}  // namespace
}  // namespace dlpack_cts::runner
