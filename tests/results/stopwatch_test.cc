// tests/results/stopwatch_test.cc: what an example uses up of its limit.
#include "results/stopwatch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace dlpack_cts {
namespace {

/// A process that works or sleeps until it is killed.
class Other {
 public:
  explicit Other(bool works) : pid_(fork()) {
    if (pid_ != 0) return;
    for (;;) {
      if (!works) pause();
      static_cast<void>(getppid());
    }
  }
  ~Other() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  int pid() const { return pid_; }

 private:
  int pid_;
};

/// Looks every 20 ms, 150 times at most. `step` is how far the tick goes on with each look.
bool PassesWithin3Seconds(Stopwatch stopwatch, int64_t step) {
  for (int64_t look = 0; look < 150; ++look) {
    if (stopwatch.Passed(look * step)) return true;
    usleep(20000);
  }
  return false;
}

TEST(Stopwatch, CountsSleep) {
  const Other asleep(false);
  EXPECT_TRUE(PassesWithin3Seconds(Stopwatch(asleep.pid(), 0.3), 0));
}

TEST(Stopwatch, CountsWork) {
  const Other busy(true);
  EXPECT_TRUE(PassesWithin3Seconds(Stopwatch(busy.pid(), 0.1), 0));
}

TEST(Stopwatch, RestartsWithEveryExample) {
  const Other asleep(false);
  EXPECT_FALSE(PassesWithin3Seconds(Stopwatch(asleep.pid(), 0.3), 1));
}

}  // namespace
}  // namespace dlpack_cts
