// tests/forge/make_test.cc: the struct that the forge makes says what the offer says, and its elements are right.
#include "harness/recipe/elements.h"
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

using MakeTest = ForgeTest;

TEST_F(MakeTest, VersionedStructCarriesTheOffer) {
  Offer offer = Matrix();
  offer.major = 1;
  offer.minor = 2;
  offer.flags = abi::kFlagReadOnly;
  offer.byte_offset = 16;
  const Offered offered = forge_.Make(offer, 0, ledger_);
  const auto& managed = *static_cast<abi::DLManagedTensorVersioned*>(offered.managed);
  EXPECT_EQ(managed.version.minor, 2u);
  EXPECT_EQ(managed.flags, abi::kFlagReadOnly);
  EXPECT_NE(managed.deleter, nullptr);
  EXPECT_EQ(&managed.dl_tensor, offered.tensor);
  EXPECT_EQ(offered.tensor->ndim, 2);
  EXPECT_EQ(offered.tensor->shape[1], 6);
  EXPECT_EQ(offered.tensor->strides[0], 6);
  EXPECT_EQ(reinterpret_cast<uint64_t>(offered.tensor->data) + 16, forge_.FirstElement(0));
  EXPECT_STREQ(offered.capsule_name, "dltensor_versioned");
  EXPECT_STREQ(offered.used_name, "used_dltensor_versioned");
}

TEST_F(MakeTest, LegacyStructCarriesTheOffer) {
  const Offered offered = forge_.Make(Matrix(StructKind::kLegacy), 1, ledger_);
  const auto& managed = *static_cast<abi::DLManagedTensor*>(offered.managed);
  EXPECT_EQ(&managed.dl_tensor, offered.tensor);
  EXPECT_NE(managed.deleter, nullptr);
  EXPECT_NE(managed.manager_ctx, nullptr);
  EXPECT_STREQ(offered.capsule_name, "dltensor");
}

TEST_F(MakeTest, ViewHasNeitherStructNorName) {
  const Offered offered = forge_.Make(Matrix(StructKind::kView), 0, ledger_);
  EXPECT_EQ(offered.managed, nullptr);
  EXPECT_EQ(offered.capsule_name, nullptr);
  EXPECT_FALSE(forge_.HasDeleter(0));
}

TEST_F(MakeTest, NamesFollowTheOffer) {
  Offer offer = Matrix();
  offer.name = CapsuleName::kTrailingSpace;
  EXPECT_STREQ(forge_.Make(offer, 0, ledger_).capsule_name, "dltensor_versioned ");
  offer.name = CapsuleName::kUsed;
  EXPECT_STREQ(forge_.Make(offer, 0, ledger_).capsule_name, "used_dltensor_versioned");
  offer.name = CapsuleName::kNone;
  EXPECT_EQ(forge_.Make(offer, 0, ledger_).capsule_name, nullptr);
}

TEST_F(MakeTest, ManagerContextFollowsTheOffer) {
  Offer offer = Matrix();
  const auto context = [&] {
    return static_cast<abi::DLManagedTensorVersioned*>(forge_.Make(offer, 0, ledger_).managed)->manager_ctx;
  };
  EXPECT_NE(context(), nullptr);
  offer.context = ContextKind::kNull;
  EXPECT_EQ(context(), nullptr);
  offer.context = ContextKind::kOne;
  EXPECT_EQ(reinterpret_cast<uint64_t>(context()), 1u);
  offer.context = ContextKind::kUnmapped;
  Read(context());
  EXPECT_EQ(FaultText(), "read context+0");
}

TEST_F(MakeTest, ElementsAreAtTheAddressesOfTheStrides) {
  Offer offer = Matrix();
  SetStrides(offer, {-8, 1});
  const Offered offered = forge_.Make(offer, 0, ledger_);
  const uint64_t first = forge_.FirstElement(0);
  ASSERT_EQ(forge_.Locate(0, first).area, Area::kData);
  // Row 3 lies lowest, at position 0 of the store; element 0 lies 24 elements above it.
  uint8_t wanted[4];
  ElementBits(offer.dtype, SlotSeed(offer.seed, 0), 24, wanted);
  EXPECT_EQ(std::memcmp(reinterpret_cast<void*>(first), wanted, 4), 0);
  ElementBits(offer.dtype, SlotSeed(offer.seed, 0), 1, wanted);
  EXPECT_EQ(std::memcmp(reinterpret_cast<void*>(first - 24 * 4 + 4), wanted, 4), 0);
  uint8_t seen[4];
  forge_.ReadElement(0, 3 * 6 + 1, seen);
  EXPECT_EQ(std::memcmp(seen, wanted, 4), 0);
  EXPECT_EQ(offered.tensor->strides[0], -8);
}

TEST_F(MakeTest, SlotsHoldDifferentValues) {
  const Offer offer = Matrix();
  forge_.Make(offer, 0, ledger_);
  forge_.Make(offer, 1, ledger_);
  EXPECT_NE(
      std::memcmp(reinterpret_cast<void*>(forge_.FirstElement(0)), reinterpret_cast<void*>(forge_.FirstElement(1)), 96),
      0);
  EXPECT_EQ(forge_.Locate(0, forge_.FirstElement(1)).other, 2);
}

TEST_F(MakeTest, WriteElementChangesMemoryAndIsNotDamage) {
  Offer offer = Matrix();
  offer.dtype = {abi::kDLBool, 8, 1};
  for (const Placement placement : {Placement::kEndsAtGuard, Placement::kReadOnlyPage}) {
    offer.placement = placement;
    forge_.Make(offer, 0, ledger_);
    uint8_t before;
    uint8_t bits;
    uint8_t after;
    forge_.ReadElement(0, 5, &before);
    forge_.WriteElement(0, 5, 1, &bits);
    forge_.ReadElement(0, 5, &after);
    EXPECT_NE(before, after);
    EXPECT_EQ(bits, after);
    forge_.CheckUnchanged(0);
    EXPECT_EQ(ledger_.imports[0].changed_bytes, 0);
  }
}

TEST_F(MakeTest, MakeInPlaceOfReusesTheAddress) {
  const Offered first = forge_.Make(Matrix(), 0, ledger_);
  CallDeleter(first);
  const Offered second = forge_.MakeInPlaceOf(Matrix(), 1, 0, ledger_);
  EXPECT_EQ(first.managed, second.managed);
  EXPECT_FALSE(forge_.Released(1));
  CallDeleter(second);
  EXPECT_EQ(Deleter(0).calls, 1);
  EXPECT_EQ(Deleter(1).calls, 1);
  forge_.CheckUnchanged(0);
  EXPECT_EQ(ledger_.imports[0].changed_parts, 0u);
}

TEST_F(MakeTest, MakeInPlaceOfOpensASealedStruct) {
  forge_.SealOnDelete(true);
  const Offered first = forge_.Make(Matrix(), 0, ledger_);
  CallDeleter(first);
  const Offered second = forge_.MakeInPlaceOf(Matrix(), 1, 0, ledger_);
  EXPECT_EQ(second.tensor->ndim, 2);
  CallDeleter(second);
  EXPECT_EQ(ledger_.fault_count, 0);
}

}  // namespace
}  // namespace dlpack_cts
