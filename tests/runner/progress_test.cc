// tests/runner/progress_test.cc: a run whose output is a file says from time to time which case is running.
#include "runner/base/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace dlpack_cts::runner {
namespace {

using std::chrono::milliseconds;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(ProgressTest, SaysWhichCaseIsRunning) {
  testing::internal::CaptureStderr();
  {
    Progress progress(3, milliseconds(10));
    std::this_thread::sleep_for(milliseconds(300));
    progress.Done(1);
    progress.Begin("toy", "c-abi/flags/one");
    std::this_thread::sleep_for(milliseconds(300));
    progress.Done(2);
    progress.Begin("toy", "c-abi/flags/none");
    std::this_thread::sleep_for(milliseconds(100));
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, ContainsRegex("dlpack-cts: running: 0/3  [0-9]+ s  preparing\n"));
  EXPECT_THAT(text, ContainsRegex("dlpack-cts: running: 1/3  [0-9]+ s  toy  c-abi/flags/one\n"));
  EXPECT_THAT(text, Not(HasSubstr("none")));
}

TEST(ProgressTest, OfAShortRunIsNotShown) {
  testing::internal::CaptureStderr();
  {
    Progress progress(3);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace dlpack_cts::runner
