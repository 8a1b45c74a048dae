// tests/forge/large_test.cc: large data lies between guards as small data does, and costs memory only while it is used.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "harness/oracle/oracle.h"
#include "harness/recipe/normalize.h"
#include "tests/forge/fixture.h"
#include "tests/recipe/normal.h"

namespace dlpack_cts {
namespace {

constexpr int64_t kMegabyte = int64_t{1} << 20;

/// Resident bytes of this process.
int64_t Resident() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  long long size = 0;
  long long resident = 0;
  EXPECT_EQ(std::fscanf(file, "%lld %lld", &size, &resident), 2);
  std::fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

class LargeTest : public ForgeTest {
 protected:
  /// As many float32 as fit.
  static Offer Largest() {
    Offer offer = Matrix();
    offer.large = 1;
    SetShape(offer, {16, kMegabyte - 64});
    return offer;
  }
};

TEST_F(LargeTest, EveryElementOf64MebibytesIsWritten) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer() = Largest();
  ASSERT_TRUE(IsNormal(recipe));
  const Offered offered = forge_.Make(recipe.offer(), 0, ledger_);
  const auto* data = static_cast<const uint8_t*>(offered.tensor->data) + offered.tensor->byte_offset;
  std::vector<uint8_t> wanted(static_cast<size_t>(16 * (kMegabyte - 64) * 4));
  ExpectedElements(recipe.offer(), 0, wanted);
  EXPECT_EQ(std::memcmp(data, wanted.data(), wanted.size()), 0);
  forge_.CheckUnchanged(0);
  EXPECT_EQ(ledger_.imports[0].changed_bytes, 0);
}

TEST_F(LargeTest, WriteIsDamageAndAccessPastTheEndIsAFault) {
  for (const Placement placement : {Placement::kEndsAtGuard, Placement::kStartsAtGuard}) {
    Offer offer = Largest();
    offer.placement = placement;
    forge_.Make(offer, 1, ledger_);
    const uint64_t first = forge_.FirstElement(1);
    Write(first + 40 * kMegabyte, static_cast<uint8_t>(Read(first + 40 * kMegabyte) + 1));
    forge_.CheckUnchanged(1);
    EXPECT_EQ(ledger_.imports[1].changed_bytes, 1);
    const bool ends = placement == Placement::kEndsAtGuard;
    const int faults = ledger_.fault_count;
    // Element 0 is aligned to 64 bytes and to no more, so that a few bytes lie between data and guard.
    Read(ends ? first + 16 * (kMegabyte - 64) * 4 + 128 : first - 4096);
    ASSERT_EQ(ledger_.fault_count, faults + 1);
    EXPECT_EQ(ledger_.faults[faults].region, Region::kGuard);
    EXPECT_EQ(ledger_.faults[faults].slot, 1);
    forge_.Reset();
  }
}

TEST_F(LargeTest, ReadAfterTheDeleterIsAFaultIfSealed) {
  forge_.SealOnDelete(true);
  const Offered offered = forge_.Make(Largest(), 0, ledger_);
  CallDeleter(offered);
  Read(forge_.FirstElement(0) + 10 * kMegabyte);
  ASSERT_EQ(ledger_.fault_count, 1);
  EXPECT_EQ(ledger_.faults[0].region, Region::kData);
  EXPECT_EQ(ledger_.faults[0].after_deleter, 1);
}

TEST_F(LargeTest, MemoryIsMappedOnUseAndFreedAfterwards) {
  forge_.Make(Matrix(), 0, ledger_);
  const int64_t before = Resident();
  forge_.Make(Largest(), 0, ledger_);
  EXPECT_GT(Resident() - before, 60 * kMegabyte);
  forge_.Reset();
  EXPECT_LT(Resident() - before, 4 * kMegabyte);
  forge_.Make(Largest(), 0, ledger_);
  forge_.Make(Matrix(), 0, ledger_);  // without a Reset() between them
  EXPECT_LT(Resident() - before, 4 * kMegabyte);
}

TEST_F(LargeTest, ReadOnlyPagesHoldTheData) {
  Offer offer = Largest();
  offer.placement = Placement::kReadOnlyPage;
  offer.flags = abi::kFlagReadOnly;
  forge_.Make(offer, 0, ledger_);
  Write(forge_.FirstElement(0), 1);
  ASSERT_EQ(ledger_.fault_count, 1);
  EXPECT_EQ(ledger_.faults[0].region, Region::kData);
  EXPECT_EQ(ledger_.faults[0].write, 1);
}

}  // namespace
}  // namespace dlpack_cts
