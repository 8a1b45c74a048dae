// tests/base/cpu_time_test.cc: the CPU time of processes that run, and of those that have ended.
#include "base/cpu_time.h"

#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <csignal>

#include "base/child.h"
#include "base/clock.h"
#include "tests/base/forked.h"

namespace dlpack_cts {
namespace {

constexpr double kBusy = 0.3;    // seconds of CPU time
constexpr double kUnsure = 0.1;  // the kernel counts in hundredths of a second, and this process needs some itself

double OfThisProcess() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void BeBusy() {
  while (OfThisProcess() < kBusy) {
  }
}

/// The time of all others.
double OfDescendants() { return CpuSecondsOfAll() - OfThisProcess(); }

bool Reaches(double seconds) {
  const double latest = Now() + 60;
  while (Now() < latest) {
    if (OfDescendants() >= seconds - kUnsure) return true;
    usleep(10'000);
  }
  return false;
}

TEST(CpuTime, CountsTheProcessItself) {
  const double before = CpuSecondsOfAll();
  const double until = OfThisProcess() + kBusy;
  while (OfThisProcess() < until) {
  }
  EXPECT_NEAR(CpuSecondsOfAll() - before, kBusy, kUnsure);
}

TEST(CpuTime, CountsDescendantsWhileTheyRunAndAfterwardsOnce) {
  const double before = OfDescendants();
  const pid_t child = Forked([] {
    WaitFor(Forked(BeBusy));  // has ended, and was waited for
    Forked(BeBusy);
    BeBusy();
    pause();
  });
  EXPECT_TRUE(Reaches(before + 3 * kBusy));
  kill(child, SIGKILL);
  WaitFor(child);
  // That of the second grandchild may be lost, because its parent did not wait for it.
  EXPECT_GE(OfDescendants() - before, 2 * kBusy - kUnsure);
  EXPECT_LE(OfDescendants() - before, 3 * kBusy + 2 * kUnsure);
}

TEST(CpuTime, DoesNotCountTheParent) {
  BeBusy();
  EXPECT_EQ(WaitFor(Forked([] { _exit(CpuSecondsOfAll() < kBusy ? 0 : 1); })).code, 0);
}

}  // namespace
}  // namespace dlpack_cts
