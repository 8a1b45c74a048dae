// tests/forge/layout_test.cc: element 0's alignment is chosen, and every element lies inside the area.
#include "harness/forge/layout.h"

#include "harness/recipe/normalize.h"
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

using forge::ReachOf;

class LayoutTest : public ForgeTest {
 protected:
  /// A small deterministic generator of its own: the layout must hold for any offer, also ones that no tier draws.
  uint64_t Next(uint64_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % bound;
  }

  Offer AnyOffer() {
    Offer offer = Matrix();
    const uint8_t widths[] = {8, 16, 32, 64, 128};
    offer.dtype = {abi::kDLInt, widths[Next(5)], 1};
    offer.dims = static_cast<uint8_t>(Next(5));
    offer.ndim = offer.dims;
    offer.strides_kind = StridesKind::kExplicit;
    int64_t stride = 1;
    for (int d = 0; d < offer.dims; ++d) {
      offer.shape[d] = static_cast<int64_t>(Next(5));
      offer.strides[d] = Next(2) == 0 ? stride : -stride;
      stride *= static_cast<int64_t>(1 + Next(5));
    }
    offer.alignment_log2 = static_cast<uint8_t>(Next(13));
    offer.byte_offset = Next(3) == 0 ? Next(4096) : 0;
    const Placement placements[] = {Placement::kEndsAtGuard, Placement::kStartsAtGuard, Placement::kReadOnlyPage,
                                    Placement::kUnmapped};
    offer.placement = placements[Next(4)];
    return offer;
  }

  uint64_t state_ = 1;
};

TEST_F(LayoutTest, AlignmentIsExact) {
  for (int i = 0; i < 5000; ++i) {
    const Offer offer = AnyOffer();
    const Offered offered = forge_.Make(offer, static_cast<int>(Next(kSlots)), ledger_);
    const uint64_t first = reinterpret_cast<uint64_t>(offered.tensor->data) + offered.tensor->byte_offset;
    const uint64_t unit = uint64_t{1} << offer.alignment_log2;
    ASSERT_EQ(first & (2 * unit - 1), unit) << "example " << i;
    forge_.Reset();
  }
}

TEST_F(LayoutTest, MakeWritesReadableElementsWithoutDamage) {
  for (int i = 0; i < 2000; ++i) {
    const Offer offer = AnyOffer();
    Clear(ledger_);
    forge_.Make(offer, 0, ledger_);
    const forge::Reach reach = ReachOf(offer, offer.strides);
    const int64_t item = ItemSize(offer.dtype);
    if (reach.backed && offer.placement != Placement::kUnmapped) {
      const uint64_t first = forge_.FirstElement(0);
      const uint64_t low = first + static_cast<uint64_t>(reach.lowest * item);
      const uint64_t high = first + static_cast<uint64_t>((reach.highest + 1) * item);
      ASSERT_TRUE(Forge::IsReadable(low, high - low));
      for (const uint64_t address : {first, low, high - 1}) ASSERT_EQ(forge_.Locate(0, address).area, Area::kData);
      ASSERT_NE(forge_.Locate(0, high).area, Area::kData);
      // Less than twice the alignment is lost at the guard.
      const uint64_t waste = offer.placement == Placement::kStartsAtGuard ? low % 4096 : (4096 - high % 4096) % 4096;
      ASSERT_LT(waste, uint64_t{2} << offer.alignment_log2);
    }
    forge_.CheckUnchanged(0);
    ASSERT_EQ(ledger_.imports[0].changed_bytes, 0);
    ASSERT_EQ(ledger_.fault_count, 0);
    forge_.Reset();
  }
}

TEST_F(LayoutTest, PageAlignedElementsBeginAtTheirGuardAtAnyForgeAddress) {
  Offer offer = Matrix();
  offer.placement = Placement::kStartsAtGuard;
  offer.alignment_log2 = 12;
  Forge forges[4];  // each of them one page off the last one
  for (Forge& forge : forges) {
    Clear(ledger_);
    forge.Make(offer, 0, ledger_);
    Read(forge.FirstElement(0) - 1);
    EXPECT_EQ(ledger_.fault_count, 1);
  }
}

TEST_F(LayoutTest, EmptyTensorHasAnAlignedAddress) {
  Offer offer = Matrix();
  SetShape(offer, {3, 0});
  offer.alignment_log2 = 8;
  forge_.Make(offer, 0, ledger_);
  EXPECT_EQ(forge_.FirstElement(0) % 512, 256u);
  EXPECT_EQ(forge_.Locate(0, forge_.FirstElement(0)).area, Area::kData);
}

TEST_F(LayoutTest, TooLargeAndInvalidShapesHaveNoMemory) {
  Offer offer = Matrix();
  int64_t strides[kDims] = {1, 1};
  SetShape(offer, {INT64_MAX, 2});
  EXPECT_FALSE(ReachOf(offer, strides).backed);
  strides[0] = INT64_MAX;
  EXPECT_FALSE(ReachOf(offer, strides).backed);
  SetShape(offer, {-1, 2});
  EXPECT_FALSE(ReachOf(offer, strides).backed);
  SetShape(offer, {int64_t{kDataCapacity} / 4});
  strides[0] = 1;
  EXPECT_TRUE(ReachOf(offer, strides).backed);
  offer.dtype = {abi::kDLFloat, 64, 1};
  EXPECT_FALSE(ReachOf(offer, strides).backed);
}

TEST_F(LayoutTest, FullCapacityFitsAtEveryAlignment) {
  Offer offer = Matrix();
  SetShape(offer, {int64_t{kDataCapacity} / 4});
  for (const Placement placement : {Placement::kEndsAtGuard, Placement::kStartsAtGuard}) {
    offer.placement = placement;
    for (uint8_t log2 = 0; log2 <= 12; ++log2) {
      offer.alignment_log2 = log2;
      forge_.Make(offer, 0, ledger_);
      forge_.CheckUnchanged(0);
      EXPECT_EQ(ledger_.imports[0].changed_bytes, 0);
    }
  }
  EXPECT_EQ(ledger_.fault_count, 0);
}

}  // namespace
}  // namespace dlpack_cts
