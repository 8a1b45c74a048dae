// tests/native/threads_test.cc: work on threads of the harness, new ones and kept ones.
#include "engine/threads.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace dlpack_cts {
namespace {

thread_local int t_ended = 0;  // counts what one thread has done
int g_last_count = 0;

/// Which thread did it, and how much that one has done so far.
std::thread::id Once(Threads& threads) {
  std::thread::id by;
  threads.Wait(threads.Start([&by] {
    by = std::this_thread::get_id();
    g_last_count = ++t_ended;
  }));
  return by;
}

TEST(ThreadsTest, EachWorkRunsOnANewThread) {
  Threads threads;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(Once(threads), std::this_thread::get_id());
    EXPECT_EQ(g_last_count, 1);
  }
}

TEST(ThreadsTest, KeptThreadRunsTheNextWork) {
  Threads threads;
  threads.Keep(true);
  const std::thread::id first = Once(threads);
  EXPECT_EQ(Once(threads), first);
  EXPECT_EQ(g_last_count, 2);
}

TEST(ThreadsTest, ParallelWorkRunsOnSeveralThreads) {
  Threads threads;
  threads.Keep(true);
  std::latch both(2);
  const auto meet = [&both] { both.arrive_and_wait(); };
  Threads::Worker& one = threads.Start(meet);
  Threads::Worker& other = threads.Start(meet);
  threads.Wait(one);
  threads.Wait(other);
  EXPECT_NE(&one, &other);
}

struct SaysThatItsThreadEnded {
  bool* ended = nullptr;
  ~SaysThatItsThreadEnded() {
    if (ended != nullptr) *ended = true;
  }
};
thread_local SaysThatItsThreadEnded t_says;

TEST(ThreadsTest, ThreadsEndIfTheyAreNotKept) {
  bool ended = false;
  Threads threads;
  threads.Keep(true);
  threads.Wait(threads.Start([&ended] { t_says.ended = &ended; }));
  EXPECT_FALSE(ended);
  threads.Keep(false);
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace dlpack_cts
