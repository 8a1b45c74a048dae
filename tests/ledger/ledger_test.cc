// tests/ledger/ledger_test.cc: what threads write at once is counted and kept once; emptying leaves nothing behind.
#include "harness/ledger/ledger.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace dlpack_cts {
namespace {

class LedgerTest : public ::testing::Test {
 protected:
  void SetUp() override { Clear(ledger_); }
  bool IsEmpty() const {
    const auto fresh = std::make_unique<Ledger>();
    Clear(*fresh);
    return std::memcmp(fresh.get(), &ledger_, sizeof(Ledger)) == 0;
  }

  Ledger ledger_;
};

TEST_F(LedgerTest, OnlyWriteAccessMarksABlockAsUsed) {
  EXPECT_EQ(std::as_const(ledger_).exports[2].versioned, 0);
  EXPECT_FALSE(ledger_.exports.Used(2));
  ledger_.exports[2].versioned = 1;
  EXPECT_TRUE(ledger_.exports.Used(2));
  EXPECT_FALSE(ledger_.exports.Used(0));
  EXPECT_FALSE(ledger_.imports.Used(2));
}

TEST_F(LedgerTest, ClearRemovesEverything) {
  for (int slot = 0; slot < kSlots; ++slot) {
    std::memset(&ledger_.imports[slot], 0x5A, sizeof(ImportLedger));
    std::memset(&ledger_.exports[slot], 0x5A, sizeof(ExportLedger));
    std::memset(&ledger_.sources[slot], 0x5A, sizeof(SourceLedger));
    std::memset(&ledger_.tables[slot], 0x5A, sizeof(TableLedger));
  }
  ledger_.faults[0].offset = 5;
  ledger_.fault_count = 1;
  for (int i = 0; i < 2 * kEvents; ++i) ledger_.Add(DeleterCall{});
  ledger_.unsupported = 1;
  ledger_.BeginStep(3);
  EXPECT_FALSE(IsEmpty());
  Clear(ledger_);
  EXPECT_TRUE(IsEmpty());
}

TEST_F(LedgerTest, WipeClearsAnOverwrittenLedger) {
  std::memset(static_cast<void*>(&ledger_), 0xFF, sizeof(ledger_));
  Clear(ledger_);  // survives counts that are garbage
  std::memset(static_cast<void*>(&ledger_), 0x5A, sizeof(ledger_));
  Wipe(ledger_);
  EXPECT_TRUE(IsEmpty());
}

TEST_F(LedgerTest, EventsWithoutRoomAreOnlyCounted) {
  for (int i = 0; i < kEvents + 5; ++i) ledger_.Add(Seen::kRead, 0, i);
  EXPECT_EQ(ledger_.event_count, kEvents + 5);
  EXPECT_EQ(ledger_.events[kEvents - 1].a, kEvents - 1);
  for (int i = 0; i < kDeleterCalls + 3; ++i) {
    DeleterCall call{};
    call.step = i;
    ledger_.Add(call);
  }
  EXPECT_EQ(ledger_.deleter_count, kDeleterCalls + 3);
  EXPECT_EQ(ledger_.deleter_calls[kDeleterCalls - 1].step, kDeleterCalls - 1);
}

TEST_F(LedgerTest, EventsOfManyThreadsUseEachEntryOnce) {
  constexpr int kThreads = 4;
  constexpr int kEach = kEvents / kThreads;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kEach; ++i) {
        ledger_.BeginStep(thread);
        ledger_.Add(Seen::kRead, thread, i);
        Count(ledger_.imports[thread].deleter.calls);
        Count(ledger_.imports[0].deleter.wrong_self);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::pair<int, int>> seen;
  for (const Event& event : ledger_.events) {
    if (event.seen == Seen::kRead) seen.insert({event.slot, event.a});
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kThreads * kEach));
  EXPECT_EQ(ledger_.event_count, kThreads * kEach);
  EXPECT_EQ(ledger_.imports[3].deleter.calls, kEach);
  EXPECT_EQ(ledger_.imports[0].deleter.wrong_self, kThreads * kEach);
}

}  // namespace
}  // namespace dlpack_cts
