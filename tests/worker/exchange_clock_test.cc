// tests/worker/exchange_clock_test.cc: sleep of an exchange is counted, work is not, and much sleep ends a property
// early.
#include "worker/process/exchange_clock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <thread>

namespace dlpack_cts::worker {
namespace {

struct ExchangeClockTest : testing::Test {
  void SetUp() override {
    if (access("/proc/self/schedstat", R_OK) != 0) GTEST_SKIP() << "the kernel does not say how long a process waits";
    SetStep(Op::kImport);
    // The first question about the run queue gets the time since the start of this process.
    Measure(Sleep);
    record->asleep = 0;
    record->longest[0] = 0;
  }

  void SetStep(Op op) {
    record->recipe.used.steps = 1;
    record->recipe.steps[0].op = op;
  }

  template <typename Work>
  void Measure(Work work) {
    const ExchangeClock clock;
    work();
    clock.Stop(*record);
  }

  static void Sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

  /// A tenth of a second of CPU time.
  static void Compute() {
    const std::clock_t until = std::clock() + CLOCKS_PER_SEC / 10;
    while (std::clock() < until) {
    }
  }

  const std::unique_ptr<CrashRecord> record = std::make_unique<CrashRecord>();
};

TEST_F(ExchangeClockTest, AddsTheTimeThatAnExchangeSleeps) {
  Measure(Sleep);
  EXPECT_GT(record->asleep, 0.08);
  const double once = record->asleep;
  Measure(Sleep);
  EXPECT_GT(record->asleep, once + 0.08);
}

TEST_F(ExchangeClockTest, AddsNothingForAnExchangeThatComputes) {
  Measure(Compute);
  EXPECT_LT(record->asleep, 0.05);
  EXPECT_GE(record->longest[0], 0.09);
}

TEST_F(ExchangeClockTest, AddsNothingForAShortExchange) {
  Measure([] {});
  EXPECT_EQ(record->asleep, 0);
  EXPECT_GT(record->longest[0], 0);
}

TEST_F(ExchangeClockTest, KeepsTheLongestExchangeOfEachKind) {
  Measure(Sleep);
  Measure([] {});
  EXPECT_GT(record->longest[0], 0.09);
  EXPECT_EQ(record->longest[1], 0);
  SetStep(Op::kExportOften);
  Measure(Sleep);
  EXPECT_GT(record->longest[1], 0.09);
}

TEST(EndsEarly, AfterHalfAMinuteOfSleepAndEnoughExamples) {
  static_assert(!EndsEarly(30, false, 1000) && !EndsEarly(30, true, 1000));
  EXPECT_FALSE(EndsEarly(30.1, false, 9));
  EXPECT_TRUE(EndsEarly(30.1, false, 10));
  EXPECT_FALSE(EndsEarly(30.1, true, 99));
  EXPECT_TRUE(EndsEarly(30.1, true, 100));
}

}  // namespace
}  // namespace dlpack_cts::worker
