// tests/forge/damage_test.cc: whatever a library changes in an offer is found and named.
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

class DamageTest : public ForgeTest {
 protected:
  std::string Changed(int slot = 0) {
    forge_.CheckUnchanged(slot);
    return Fact(ledger_, "import" + std::to_string(slot) + ".changed");
  }
  int32_t ChangedBytes() {
    forge_.CheckUnchanged(0);
    return ledger_.imports[0].changed_bytes;
  }
};

TEST_F(DamageTest, UntouchedOfferHasNoDamage) {
  for (const StructKind kind : {StructKind::kLegacy, StructKind::kVersioned, StructKind::kView}) {
    for (const Placement placement : {Placement::kEndsAtGuard, Placement::kStartsAtGuard, Placement::kReadOnlyPage,
                                      Placement::kUnmapped, Placement::kNull, Placement::kForeignHandle}) {
      Offer offer = Matrix(kind);
      offer.placement = placement;
      forge_.Make(offer, 0, ledger_);
      EXPECT_EQ(Changed(), "none");
      EXPECT_EQ(ChangedBytes(), 0);
    }
  }
  EXPECT_EQ(ledger_.fault_count, 0);
}

TEST_F(DamageTest, ChangedFieldsAreNamed) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  auto* managed = static_cast<abi::DLManagedTensorVersioned*>(offered.managed);
  managed->version.minor = 9;
  managed->flags = 2;
  managed->dl_tensor.byte_offset = 8;
  managed->dl_tensor.shape[1] = 7;
  managed->dl_tensor.strides[0] = 7;
  EXPECT_EQ(Changed(), "version flags byte_offset shape strides");
}

TEST_F(DamageTest, ChangedLegacyFieldsAreNamed) {
  const Offered offered = forge_.Make(Matrix(StructKind::kLegacy), 0, ledger_);
  auto* managed = static_cast<abi::DLManagedTensor*>(offered.managed);
  managed->manager_ctx = nullptr;
  managed->dl_tensor.data = nullptr;
  managed->dl_tensor.shape = nullptr;
  EXPECT_EQ(Changed(), "manager_ctx data shape-pointer");
}

TEST_F(DamageTest, FirstDeleterCallChecksForDamage) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  offered.tensor->shape[0] = 1;
  CallDeleter(offered);
  EXPECT_EQ(ledger_.imports[0].changed_parts, kPartShape);
}

TEST_F(DamageTest, ChangedElementsAndGapsAreCounted) {
  Offer offer = Matrix();
  SetShape(offer, {2, 2});
  SetStrides(offer, {4, 1});
  forge_.Make(offer, 0, ledger_);
  const uint64_t first = forge_.FirstElement(0);
  Write(first, static_cast<uint8_t>(~Read(first)));
  Write(first + 8, static_cast<uint8_t>(~Read(first + 8)));  // a gap between the rows
  EXPECT_EQ(ChangedBytes(), 2);
}

TEST_F(DamageTest, ChangedCanariesOnBothSidesAreFound) {
  Offer offer = Matrix();
  SetShape(offer, {3});
  for (const Placement placement : {Placement::kEndsAtGuard, Placement::kStartsAtGuard}) {
    Clear(ledger_);
    offer.placement = placement;
    forge_.Make(offer, 0, ledger_);
    const uint64_t first = forge_.FirstElement(0);
    Write(first - 1, 0);
    Write(first + 12, 0);
    EXPECT_EQ(ChangedBytes(), 2);
    EXPECT_EQ(ledger_.fault_count, 0);
  }
}

TEST_F(DamageTest, ChangedCanariesBeforeStructAndMetadataAreFound) {
  const Offered offered = forge_.Make(Matrix(), 0, ledger_);
  Write(reinterpret_cast<uint64_t>(offered.managed) - 1, 0);
  offered.tensor->shape[-1] = 0;
  offered.tensor->strides[-1] = 0;
  EXPECT_EQ(ChangedBytes(), 1 + 8 + 8);
}

TEST_F(DamageTest, ExpectedWritesAreNotDamage) {
  forge_.Make(Matrix(), 0, ledger_);
  const uint64_t first = forge_.FirstElement(0);
  forge_.ExpectWrite(0, 7);
  Write(first + 7 * 4, static_cast<uint8_t>(~Read(first + 7 * 4)));
  EXPECT_EQ(ChangedBytes(), 0);
  Write(first + 8 * 4, static_cast<uint8_t>(~Read(first + 8 * 4)));
  EXPECT_EQ(ChangedBytes(), 1);
}

}  // namespace
}  // namespace dlpack_cts
