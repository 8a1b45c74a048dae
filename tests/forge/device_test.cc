// tests/forge/device_test.cc: tensors in device memory, here a buffer that is reached by copies only.
#include "harness/forge/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "harness/oracle/oracle.h"
#include "tests/forge/fixture.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kStart = uint64_t{1} << 46;  // not an address of this process

/// The memory of CUDA device 0.
class Buffer final : public DeviceMemory {
 public:
  uint64_t Block(int slot, abi::DLDevice device, size_t size) override {
    return device == abi::DLDevice{abi::kDLCUDA, 0} && size <= kSize ? kStart + static_cast<uint64_t>(slot) * kSize : 0;
  }
  bool ToDevice(abi::DLDevice, uint64_t to, const uint8_t* from, size_t size) override {
    std::memcpy(At(to), from, size);
    return true;
  }
  bool FromDevice(abi::DLDevice, uint8_t* to, uint64_t from, size_t size) override {
    std::memcpy(to, At(from), size);
    return true;
  }
  std::optional<int32_t> CountOthers(abi::DLDevice, std::span<const DeviceRange> ranges, uint8_t pattern) override {
    if (!counts_) return std::nullopt;
    int32_t others = 0;
    for (const DeviceRange& range : ranges) {
      others += static_cast<int32_t>(
          std::count_if(At(range.begin), At(range.end), [&](uint8_t byte) { return byte != pattern; }));
    }
    return others;
  }
  void CannotCount() { counts_ = false; }
  uint8_t* At(uint64_t address) { return bytes_.data() + (address - kStart); }

 private:
  static constexpr size_t kSize = 1 << 16;
  bool counts_ = true;
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(kSlots * kSize);
};

Offer OnDevice() {
  Offer offer = MakeRecipe(RecipeKind::kImport).offer();
  offer.device = offer.reported_device = {abi::kDLCUDA, 0};
  offer.placement = Placement::kDevice;
  offer.dtype = {abi::kDLInt, 32, 1};
  offer.dims = 1;
  offer.ndim = 1;
  offer.shape[0] = 3;
  offer.strides_kind = StridesKind::kExplicit;
  offer.strides[0] = 2;
  offer.alignment_log2 = 8;
  offer.seed = 7;
  return offer;
}

class Device : public ForgeTest {
 protected:
  void SetUp() override {
    ForgeTest::SetUp();
    forge_.SetDeviceMemory(&memory_);
  }
  void TearDown() override { forge_.SetDeviceMemory(nullptr); }
  uint64_t First(int slot = 0) const { return forge_.FirstElement(slot); }
  int32_t Changed() {
    forge_.CheckUnchanged(0);
    return ledger_.imports[0].changed_bytes;
  }

  Buffer memory_;
};

TEST_F(Device, HoldsTheElements) {
  const Offer offer = OnDevice();
  const Offered made = forge_.Make(offer, 0, ledger_);
  EXPECT_TRUE(forge_.IsOnDevice(0));
  EXPECT_EQ(reinterpret_cast<uint64_t>(made.tensor->data), First());
  EXPECT_EQ(First() % 256, 0u);
  int32_t wanted[3];
  ExpectedElements(offer, 0, {reinterpret_cast<uint8_t*>(wanted), sizeof(wanted)});
  for (uint64_t i = 0; i < 3; ++i) EXPECT_EQ(std::memcmp(memory_.At(First() + i * 8), &wanted[i], 4), 0);
  EXPECT_EQ(forge_.Locate(0, First()).area, Area::kData);
  EXPECT_EQ(Changed(), 0);
}

class DeviceThatCounts : public Device, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    Device::SetUp();
    if (!GetParam()) memory_.CannotCount();
  }
};
INSTANTIATE_TEST_SUITE_P(OrNot, DeviceThatCounts, testing::Bool());

TEST_P(DeviceThatCounts, ShowsWritesToElementsGapsAndBesideThem) {
  for (const int64_t at : {0, 4, -1, -1024, 20, 1043}) {
    forge_.Make(OnDevice(), 0, ledger_);
    ledger_.imports[0].changed_bytes = 0;
    *memory_.At(First() + static_cast<uint64_t>(at)) ^= 1;
    EXPECT_EQ(Changed(), 1) << at;
  }
}

TEST_P(DeviceThatCounts, CountsTheChangedBytes) {
  forge_.Make(OnDevice(), 0, ledger_);
  for (const int64_t at : {0, 4, -1, -1024, 1043}) *memory_.At(First() + static_cast<uint64_t>(at)) ^= 1;
  EXPECT_EQ(Changed(), 5);
}

TEST_F(Device, ShowsAWriteAfterTheDeleter) {
  CallDeleter(forge_.Make(OnDevice(), 0, ledger_));
  *memory_.At(First()) ^= 1;
  EXPECT_EQ(Changed(), 1);
}

TEST_F(Device, WritesAndReadsSingleElements) {
  forge_.Make(OnDevice(), 0, ledger_);
  int32_t written = 0;
  int32_t read = 0;
  forge_.WriteElement(0, 1, 1, reinterpret_cast<uint8_t*>(&written));
  EXPECT_EQ(std::memcmp(memory_.At(First() + 8), &written, 4), 0);
  forge_.ReadElement(0, 1, reinterpret_cast<uint8_t*>(&read));
  EXPECT_EQ(read, written);
  forge_.ExpectWrite(0, 2);
  *memory_.At(First() + 16) ^= 1;
  EXPECT_EQ(Changed(), 0);
}

TEST_F(Device, HasAPatternBeforeElementsWithAnOffset) {
  Offer offer = OnDevice();
  offer.byte_offset = 512;
  const Offered made = forge_.Make(offer, 0, ledger_);
  EXPECT_EQ(reinterpret_cast<uint64_t>(made.tensor->data) + 512, First());
  *memory_.At(First() - 512) ^= 1;
  EXPECT_EQ(Changed(), 1);
}

TEST_P(DeviceThatCounts, HoldsEmptyTensors) {
  Offer offer = OnDevice();
  offer.shape[0] = 0;
  forge_.Make(offer, 0, ledger_);
  EXPECT_TRUE(forge_.IsOnDevice(0));
  *memory_.At(First()) ^= 1;
  EXPECT_EQ(Changed(), 1);
}

TEST_F(Device, HasNoMemoryOfADeviceThatDoesNotExist) {
  Offer offer = OnDevice();
  offer.device.device_id = 3;
  forge_.Make(offer, 0, ledger_);
  EXPECT_FALSE(forge_.IsOnDevice(0));
  EXPECT_FALSE(Forge::IsReadable(First(), 1));
}

TEST_F(Device, IsHostMemoryWhereThatStandsForIt) {
  forge_.StandInForDevices();
  forge_.Make(OnDevice(), 0, ledger_);
  EXPECT_TRUE(forge_.IsOnDevice(0));
  EXPECT_TRUE(Forge::IsReadable(First(), 4));
}

}  // namespace
}  // namespace dlpack_cts
