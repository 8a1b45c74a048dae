// tests/forge/forges_test.cc: several forges in one process, and struct addresses that are used again.
#include <memory>
#include <thread>
#include <vector>

#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

class ForgesTest : public ForgeTest {
 protected:
  void SetUp() override {
    ForgeTest::SetUp();
    Clear(other_ledger_);
  }

  const DeleterLedger& OtherDeleter(int slot = 0) const { return other_ledger_.imports[slot].deleter; }

  Ledger other_ledger_;
  Forge other_;
};

TEST_F(ForgesTest, ReleaseIsRecordedByTheForgeOfTheTensor) {
  const Offered mine = forge_.Make(Matrix(), 0, ledger_);
  const Offered theirs = other_.Make(Matrix(StructKind::kLegacy), 0, other_ledger_);
  CallDeleter(theirs);
  EXPECT_EQ(Deleter().calls, 0);
  EXPECT_EQ(OtherDeleter().calls, 1);
  EXPECT_FALSE(forge_.Released(0));
  EXPECT_TRUE(other_.Released(0));
  CallDeleter(mine);
  EXPECT_EQ(Deleter().calls, 1);
  EXPECT_EQ(OtherDeleter().calls, 1);
}

TEST_F(ForgesTest, LateDeleterCallIsCountedByItsForge) {
  const Offered late = forge_.Make(Matrix(), 0, ledger_);
  forge_.Reset();
  const Offered running = other_.Make(Matrix(), 0, other_ledger_);
  Ledger before = other_ledger_;
  std::thread([&] { CallDeleter(late); }).join();
  EXPECT_EQ(std::memcmp(&before, &other_ledger_, sizeof(before)), 0);
  EXPECT_FALSE(other_.Released(0));
  EXPECT_EQ(forge_.LateDeletes(), 1);
  EXPECT_EQ(other_.LateDeletes(), 0);
  CallDeleter(running);
  EXPECT_EQ(OtherDeleter().calls, 1);
}

TEST_F(ForgesTest, LateDeleterCallIsNoneOfALaterTensorInItsPlace) {
  const Offered late = forge_.Make(Matrix(), 0, ledger_);
  forge_.Reset();
  const Offered next = forge_.Make(Matrix(), 0, ledger_);
  CallDeleter(late);
  EXPECT_FALSE(forge_.Released(0));
  EXPECT_EQ(Deleter().calls, 0);
  EXPECT_EQ(Deleter().wrong_self, 0);
  EXPECT_EQ(forge_.LateDeletes(), 1);
  CallDeleter(next);
  EXPECT_TRUE(forge_.Released(0));
}

TEST_F(ForgesTest, EachTensorHasItsOwnPlaceBehindALeftOne) {
  // So that memory takes over which no forge has had before.
  std::vector<std::unique_ptr<Forge>> others;
  for (int i = 0; i < Forge::kLiveForges - 8; ++i) others.push_back(std::make_unique<Forge>());
  for (int leaves = 0; leaves < 3; ++leaves) {
    forge_.Make(Matrix(), 0, ledger_);
    forge_.Reset();
    Clear(ledger_);
    Offered offered[kSlots];
    for (int slot = 0; slot < kSlots; ++slot) offered[slot] = forge_.Make(Matrix(), slot, ledger_);
    for (int slot = 0; slot < kSlots; ++slot) {
      CallDeleter(offered[slot]);
      EXPECT_EQ(ledger_.imports[slot].deleter.calls, 1) << "slot " << slot << " behind " << leaves;
      EXPECT_EQ(ledger_.imports[slot].deleter.wrong_self, 0);
    }
    forge_.Reset();
  }
}

TEST_F(ForgesTest, LeftMemoryBringsNothingToItsNextForge) {
  int calls = 0;
  forge_.SetWithin([&](int) { ++calls; });
  forge_.Make(Matrix(), 0, ledger_);
  forge_.Reset();
  std::vector<std::unique_ptr<Forge>> others;
  for (int i = 0; i < Forge::kLiveForges - 3; ++i) {
    others.push_back(std::make_unique<Forge>());
    CallDeleter(others.back()->Make(Matrix(), 0, other_ledger_));
  }
  EXPECT_EQ(calls, 0);
  CallDeleter(forge_.Make(Matrix(), 0, ledger_));
  EXPECT_EQ(calls, 1);
}

TEST_F(ForgesTest, WrongPointerIsRecordedByTheForgeOfTheDeleter) {
  const Offered mine = forge_.Make(Matrix(), 0, ledger_);
  other_.Make(Matrix(), 0, other_ledger_);
  abi::DLManagedTensorVersioned copy = *static_cast<abi::DLManagedTensorVersioned*>(mine.managed);
  copy.deleter(&copy);
  EXPECT_EQ(Deleter().wrong_self, 1);
  EXPECT_EQ(OtherDeleter().wrong_self, 0);
}

TEST_F(ForgesTest, FaultIsRecordedByTheForgeThatOwnsTheMemory) {
  forge_.Make(Matrix(), 0, ledger_);
  const Offered theirs = other_.Make(Matrix(), 1, other_ledger_);
  Read(theirs.tensor->shape + 2);
  EXPECT_EQ(ledger_.fault_count, 0);
  EXPECT_EQ(other_ledger_.fault_count, 1);
  EXPECT_EQ(other_ledger_.faults[0].slot, 1);
}

TEST_F(ForgesTest, LateCallAfterTheEndOfAForgeIsHarmless) {
  auto gone = std::make_unique<Forge>();
  const Offered late = gone->Make(Matrix(), 0, ledger_);
  gone.reset();
  const Ledger before = ledger_;
  CallDeleter(late);
  EXPECT_EQ(std::memcmp(&before, &ledger_, sizeof(before)), 0);
  EXPECT_EQ(forge_.LateDeletes(), 0);
}

TEST_F(ForgesTest, LaterForgesReuseMemory) {
  for (int i = 0; i < 3 * Forge::kLiveForges; ++i) {
    Forge forge;
    CallDeleter(forge.Make(Matrix(), 0, ledger_));
    EXPECT_TRUE(forge.Released(0));
    EXPECT_EQ(forge.LateDeletes(), 0);
  }
}

TEST_F(ForgesTest, OfferReusesTheAddressOfAReleasedTensor) {
  const Offered first = forge_.Make(Matrix(), 0, ledger_);
  CallDeleter(first);
  const Offered second = forge_.MakeInPlaceOf(Matrix(), 1, 0, ledger_);
  EXPECT_EQ(second.managed, first.managed);
  CallDeleter(second);
  EXPECT_EQ(Deleter(0).calls, 1);
  EXPECT_EQ(Deleter(1).calls, 1);
}

TEST_F(ForgesTest, OfferDoesNotReplaceAnUnreleasedTensor) {
  const Offered first = forge_.Make(Matrix(), 0, ledger_);
  const Offered second = forge_.MakeInPlaceOf(Matrix(), 1, 0, ledger_);
  EXPECT_NE(second.managed, first.managed);
  CallDeleter(first);
  CallDeleter(second);
  EXPECT_EQ(Deleter(0).calls, 1);
  EXPECT_EQ(Deleter(1).calls, 1);
  forge_.CheckUnchanged(0);
  EXPECT_EQ(ledger_.imports[0].changed_parts, 0u);
}

TEST_F(ForgesTest, OfferDoesNotReplaceTheLatestTensorAtAnAddress) {
  CallDeleter(forge_.Make(Matrix(), 0, ledger_));
  const Offered second = forge_.MakeInPlaceOf(Matrix(), 1, 0, ledger_);
  const Offered third = forge_.MakeInPlaceOf(Matrix(), 2, 0, ledger_);
  const Offered again = forge_.Make(Matrix(), 0, ledger_);
  EXPECT_NE(third.managed, second.managed);
  EXPECT_NE(again.managed, second.managed);
  EXPECT_NE(again.managed, third.managed);
  for (const Offered& offered : {second, third, again}) CallDeleter(offered);
  EXPECT_EQ(Deleter(1).calls, 1);
  EXPECT_EQ(Deleter(2).calls, 1);
}

}  // namespace
}  // namespace dlpack_cts
