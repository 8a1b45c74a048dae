// tests/forge/locate_test.cc: an address is recorded as what lies there and from element 0, the same in every arena.
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kMatrixBytes = 4 * 6 * 4;

class LocateTest : public ForgeTest {
 protected:
  /// The location of the address, and a check that another forge says the same of the same distance.
  Location At(int64_t offset) {
    const Location here = forge_.Locate(0, forge_.FirstElement(0) + static_cast<uint64_t>(offset));
    const Location there = other_.Locate(0, other_.FirstElement(0) + static_cast<uint64_t>(offset));
    EXPECT_TRUE(here == there) << offset;
    return here;
  }
  void MakeBoth(const Offer& offer) {
    forge_.Make(offer, 0, ledger_);
    other_.Make(offer, 0, other_ledger_);
  }

  Ledger other_ledger_;
  Forge other_;
};

TEST_F(LocateTest, ElementsAreCountedFromElementZero) {
  Offer offer = Matrix();
  SetStrides(offer, {-6, 1});
  MakeBoth(offer);
  EXPECT_EQ(At(0).area, Area::kData);
  EXPECT_EQ(At(0).offset, 0);
  EXPECT_EQ(At(-72).area, Area::kData);
  EXPECT_EQ(At(-72).offset, -72);
  EXPECT_EQ(At(-73).area, Area::kFront);
  EXPECT_EQ(At(23).area, Area::kData);
}

TEST_F(LocateTest, MemoryNextToTheElementsHasAName) {
  Offer offer = Matrix();
  offer.placement = Placement::kStartsAtGuard;
  MakeBoth(offer);
  EXPECT_EQ(At(kMatrixBytes - 1).area, Area::kData);
  EXPECT_EQ(At(kMatrixBytes).area, Area::kBehind);
  EXPECT_EQ(At(kMatrixBytes).offset, static_cast<int64_t>(kMatrixBytes));
  EXPECT_EQ(At(-4096).area, Area::kGuard);
  offer.placement = Placement::kEndsAtGuard;
  MakeBoth(offer);
  EXPECT_EQ(At(4096).area, Area::kGuard);
  EXPECT_EQ(At(-64).area, Area::kFront);
}

TEST_F(LocateTest, ForeignMemoryIsReported) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  forge_.Make(Matrix(), 1, ledger_);
  EXPECT_EQ(forge_.Locate(0, reinterpret_cast<uint64_t>(offered.managed)).area, Area::kMetadata);
  const Location other = forge_.Locate(0, forge_.FirstElement(1) + 8);
  EXPECT_EQ(other.area, Area::kData);
  EXPECT_EQ(other.other, 2);
  EXPECT_EQ(other.offset, 8);
  int here = 0;
  EXPECT_EQ(forge_.Locate(0, reinterpret_cast<uint64_t>(&here)).area, Area::kElsewhere);
  EXPECT_EQ(forge_.Locate(0, reinterpret_cast<uint64_t>(&here)).offset, 0) << "an address of the process is not a fact";
  EXPECT_EQ(forge_.Locate(0, 0).area, Area::kNull);
}

TEST_F(LocateTest, EmptyAndNullDataAreLocatedByTheStruct) {
  Offer offer = Matrix();
  SetShape(offer, {3, 0});
  MakeBoth(offer);
  EXPECT_EQ(At(0).area, Area::kData);
  offer.placement = Placement::kNull;
  MakeBoth(offer);
  EXPECT_EQ(forge_.Locate(0, 0).area, Area::kData);
}

}  // namespace
}  // namespace dlpack_cts
