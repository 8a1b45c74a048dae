// tests/recipe/effort_test.cc: a search is not ended early by what others do.
#include "harness/recipe/effort.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace dlpack_cts {
namespace {

using std::chrono::milliseconds;

void Work(double seconds) {
  const Effort effort;
  while (effort.Seconds() < seconds) {
  }
}

TEST(Effort, CountsTheWorkOfThisProcess) {
  const Effort effort;
  EXPECT_LT(effort.Seconds(), 0.1);
  Work(0.1);
  EXPECT_GE(effort.Seconds(), 0.1);
}

TEST(Effort, CountsTheWorkOfChildrenThatWereWaitedFor) {
  const Effort effort;
  const pid_t child = fork();
  if (child == 0) {
    Work(0.1);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_GE(effort.Seconds(), 0.09);
}

TEST(Effort, CountsAPartOfTheTimeThatIsWaited) {
  const Effort effort;
  std::this_thread::sleep_for(milliseconds(400));
  EXPECT_GE(effort.Seconds(), 0.4 / Effort::kPatience);
  EXPECT_LT(effort.Seconds(), 0.2);
}

}  // namespace
}  // namespace dlpack_cts
