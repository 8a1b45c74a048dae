// tests/minimise/search_cost_test.cc: a search is not ended early by what others do.
#include "harness/minimise/search_cost.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace dlpack_cts {
namespace {

using std::chrono::milliseconds;

void Work(double seconds) {
  const SearchCost cost;
  while (cost.Seconds() < seconds) {
  }
}

TEST(SearchCost, CountsCpuTimeOfThisProcess) {
  const SearchCost cost;
  EXPECT_LT(cost.Seconds(), 0.1);
  EXPECT_FALSE(cost.Reaches(0.1));
  Work(0.1);
  EXPECT_GE(cost.Seconds(), 0.1);
  EXPECT_TRUE(cost.Reaches(0.1));
}

TEST(SearchCost, CountsCpuTimeOfFinishedChildren) {
  const SearchCost cost;
  const pid_t child = fork();
  if (child == 0) {
    Work(0.1);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_GE(cost.Seconds(), 0.09);
  EXPECT_TRUE(cost.Reaches(0.09));
}

TEST(SearchCost, CountsAPartOfWaitingTime) {
  const SearchCost cost;
  std::this_thread::sleep_for(milliseconds(400));
  EXPECT_GE(cost.Seconds(), 0.4 / SearchCost::kPatience);
  EXPECT_LT(cost.Seconds(), 0.2);
  EXPECT_TRUE(cost.Reaches(0.4 / SearchCost::kPatience));
  EXPECT_FALSE(cost.Reaches(0.2));
}

}  // namespace
}  // namespace dlpack_cts
