// tests/forge/deleter_test.cc: every call of a deleter is counted with its circumstances and does no harm.
#include <thread>
#include <vector>

#include "harness/forge/thread.h"
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

using DeleterTest = ForgeTest;

TEST_F(DeleterTest, CallsAreCountedPerPhase) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  EXPECT_FALSE(forge_.Released(0));
  CallDeleter(offered);
  EXPECT_TRUE(forge_.Released(0));
  forge_.SetPhase(0, 1);
  CallDeleter(offered);
  forge_.SetPhase(0, 2);
  CallDeleter(offered);
  EXPECT_EQ(Deleter().calls, 3);
  EXPECT_EQ(Deleter().calls_in_import, 1);
  EXPECT_EQ(Deleter().calls_while_alive, 1);
  EXPECT_EQ(Deleter().on_other_thread, 0);
  EXPECT_EQ(ledger_.event_count, 3);
  EXPECT_EQ(ledger_.events[2].seen, Seen::kDeleterCalled);
  EXPECT_EQ(ledger_.events[2].a, 2);
}

TEST_F(DeleterTest, LegacyAndVersionedCallsAreCountedEqually) {
  const Offered legacy = forge_.Make(Matrix(StructKind::kLegacy), 0, ledger_);
  const Offered versioned = forge_.Make(Matrix(), 1, ledger_);
  CallDeleter(versioned);
  EXPECT_EQ(Deleter(0).calls, 0);
  CallDeleter(legacy);
  EXPECT_EQ(Deleter(0).calls, 1);
  EXPECT_EQ(Deleter(1).calls, 1);
}

TEST_F(DeleterTest, NullDeleterIsNeverCalled) {
  Offer offer = Matrix();
  offer.deleter = DeleterKind::kNull;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  EXPECT_EQ(static_cast<abi::DLManagedTensorVersioned*>(offered.managed)->deleter, nullptr);
  EXPECT_FALSE(forge_.HasDeleter(0));
  Forge::ReleaseFromDestructor(offered.managed);
  EXPECT_EQ(Deleter().calls, 0);
  EXPECT_EQ(ledger_.event_count, 0);
}

TEST_F(DeleterTest, OnlyTheFirstCallRunsTheWithinFunction) {
  std::vector<int> seen;
  forge_.SetWithin([&](int slot) { seen.push_back(slot); });
  const Offered offered = forge_.Make(Matrix(), 2, ledger_);
  CallDeleter(offered);
  CallDeleter(offered);
  EXPECT_EQ(seen, std::vector<int>{2});
  EXPECT_EQ(Deleter(2).calls, 2);
}

TEST_F(DeleterTest, DestructorCallsAreMarked) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  Forge::ReleaseFromDestructor(offered.managed);
  EXPECT_EQ(Deleter().calls, 1);
  EXPECT_EQ(Deleter().from_destructor, 1);
  EXPECT_EQ(ledger_.deleter_calls[0].from_destructor, 1);
}

TEST_F(DeleterTest, DestructorDoesNotCallAClearedDeleter) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  static_cast<abi::DLManagedTensorVersioned*>(offered.managed)->deleter = nullptr;
  Forge::ReleaseFromDestructor(offered.managed);
  EXPECT_EQ(Deleter().calls, 0);
  forge_.CheckUnchanged(0);
  EXPECT_EQ(Fact(ledger_, "import0.changed"), "deleter");
}

TEST_F(DeleterTest, CallWithACopyOfTheStructIsRecordedAsWrongSelf) {
  const Offered offered = forge_.Make(Matrix(), 2, ledger_);
  abi::DLManagedTensorVersioned copy = *static_cast<abi::DLManagedTensorVersioned*>(offered.managed);
  copy.deleter(&copy);
  EXPECT_EQ(Deleter(0).wrong_self, 1);
  EXPECT_EQ(Deleter(2).calls, 0);
  EXPECT_FALSE(forge_.Released(2));
}

TEST_F(DeleterTest, LateCallsAfterResetAreInNoLedger) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  forge_.Reset();
  CallDeleter(offered);
  EXPECT_EQ(Deleter().calls, 0);
  EXPECT_EQ(Deleter().wrong_self, 0);
}

TEST_F(DeleterTest, CallsOnOtherThreadsAreMarked) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  std::thread([&] { CallDeleter(offered); }).join();
  EXPECT_EQ(Deleter().on_other_thread, 1);
}

TEST_F(DeleterTest, CallsFromManyThreadsAreAllCounted) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  std::thread threads[4];
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 1000; ++i) CallDeleter(offered);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Deleter().calls, 4000);
}

TEST_F(DeleterTest, ProbesRecordGilAndPendingException) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  forge_.SetThreadProbe({[] { return 0; }, [] { return 1; }});
  CallDeleter(offered);
  forge_.SetThreadProbe({[] { return 1; }, [] { return 0; }});
  CallDeleter(offered);
  EXPECT_EQ(Deleter().without_gil, 1);
  EXPECT_EQ(Deleter().with_pending_exception, 1);
}

TEST_F(DeleterTest, CallsAreListedWithThreadGilAndException) {
  const Offered offered = forge_.Make(Matrix(), 1, ledger_);
  ledger_.BeginStep(4);
  CallDeleter(offered);
  forge_.SetThreadProbe({[] { return 0; }, [] { return 1; }});
  ledger_.BeginStep(5);
  std::thread([&] { CallDeleter(offered); }).join();
  std::thread([&] {
    const ThreadMark mark(2);
    forge_.ReleaseFromDestructor(offered.managed);
  }).join();
  ASSERT_EQ(ledger_.deleter_count, 3);
  const DeleterCall& first = ledger_.deleter_calls[0];
  EXPECT_EQ(first.slot, 1);
  EXPECT_EQ(first.step, 4);
  EXPECT_EQ(first.thread, ThreadKind::kMaker);
  EXPECT_EQ(first.gil, Answer::kUnknown) << "not known without a probe";
  EXPECT_EQ(first.pending, Answer::kUnknown);
  EXPECT_EQ(first.from_destructor, 0);
  const DeleterCall& second = ledger_.deleter_calls[1];
  EXPECT_EQ(second.step, 5);
  EXPECT_EQ(second.thread, ThreadKind::kForeign);
  EXPECT_EQ(second.lane, ThreadMark::kNoLane);
  EXPECT_EQ(second.gil, Answer::kNo);
  EXPECT_EQ(second.pending, Answer::kYes);
  const DeleterCall& third = ledger_.deleter_calls[2];
  EXPECT_EQ(third.thread, ThreadKind::kHarness);
  EXPECT_EQ(third.lane, 2);
  EXPECT_EQ(third.from_destructor, 1);
}

TEST_F(DeleterTest, WrongSelfIsListedToo) {
  const Offered offered = forge_.Make(Matrix(), 2, ledger_);
  abi::DLManagedTensorVersioned copy = *static_cast<abi::DLManagedTensorVersioned*>(offered.managed);
  copy.deleter(&copy);
  ASSERT_EQ(ledger_.deleter_count, 1);
  EXPECT_EQ(ledger_.deleter_calls[0].wrong, 1);
}

TEST_F(DeleterTest, DeletersRunInParallelWithTheLife) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  std::thread release([&] { CallDeleter(offered); });
  for (int step = 0; !forge_.Released(0); ++step) {
    ledger_.BeginStep(step % kSteps);
    forge_.SetPhase(0, step % 3);
    uint8_t bits[16];
    forge_.ReadElement(0, step, bits);
    ledger_.Add(Seen::kRead, 1);
  }
  release.join();
  EXPECT_EQ(Deleter().calls, 1);
  EXPECT_EQ(ledger_.deleter_count, 1);
}

TEST_F(DeleterTest, UseOfSealedMemoryIsAFault) {
  forge_.SealOnDelete(true);
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  const uint64_t first = forge_.FirstElement(0);
  auto* const deleter = static_cast<abi::DLManagedTensorVersioned*>(offered.managed)->deleter;
  CallDeleter(offered);
  deleter(static_cast<abi::DLManagedTensorVersioned*>(offered.managed));
  EXPECT_EQ(Deleter().calls, 2);
  forge_.CheckUnchanged(0);
  Forge::ReleaseFromDestructor(offered.managed);
  EXPECT_EQ(ledger_.fault_count, 0) << "the forge itself touches nothing that it sealed";
  EXPECT_EQ(offered.tensor->ndim, 2);
  Read(first);
  EXPECT_EQ(FaultText(0), "read struct+48");
  EXPECT_EQ(FaultText(1), "read data+0");
  EXPECT_EQ(ledger_.faults[0].after_deleter, 1);
  EXPECT_EQ(ledger_.faults[1].after_deleter, 1);
}

TEST_F(DeleterTest, ResetOpensSealedMemory) {
  forge_.SealOnDelete(true);
  for (int round = 0; round < 3; ++round) {
    const Offered offered = forge_.Make(Matrix(), 0, ledger_);
    CallDeleter(offered);
    forge_.Reset();
  }
  EXPECT_EQ(ledger_.fault_count, 0);
  EXPECT_EQ(Deleter().calls, 3);
}

}  // namespace
}  // namespace dlpack_cts
