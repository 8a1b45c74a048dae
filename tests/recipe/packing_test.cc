// tests/recipe/packing_test.cc: elements that share bytes keep their values, and their neighbours.
#include "harness/recipe/packing.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <array>
#include <vector>

namespace dlpack_cts {
namespace {

// C-SUBBYTE-05: Element i occupies bits i*bits.. of the buffer, low bits first.
TEST(Packing, PutsLowBitsFirst) {
  const std::vector<uint8_t> values = {0x1, 0x2, 0x3};
  std::array<uint8_t, 2> bytes{};
  Pack(values, 4, 0, bytes.data());
  EXPECT_EQ(bytes, (std::array<uint8_t, 2>{0x21, 0x03}));
  Pack(values, 2, 0, bytes.data());
  EXPECT_EQ(bytes[0] & 0x3F, 0x39);
}

TEST(Packing, PutsFourElementsOfSixBitsIntoThreeBytes) {
  const std::vector<uint8_t> values = {0x3F, 0x00, 0x3F, 0x01};
  std::array<uint8_t, 3> bytes{};
  Pack(values, 6, 0, bytes.data());
  EXPECT_EQ(bytes, (std::array<uint8_t, 3>{0x3F, 0xF0, 0x07}));
  EXPECT_EQ(PackedBytes(4 * 6), 3);
  EXPECT_EQ(PackedBytes(3 * 6), 3);
}

TEST(Packing, AcceptsBitsBeforeTheFirstByte) {
  std::array<uint8_t, 2> bytes{};
  SetBitsAt(&bytes[1], -4, 4, 0xA);
  EXPECT_EQ(bytes, (std::array<uint8_t, 2>{0xA0, 0x00}));
  EXPECT_EQ(BitsAt(&bytes[1], -4, 4), 0xA);
  EXPECT_EQ(PackedBytes(-4), 0);
  EXPECT_EQ(PackedBytes(-8), -1);
}

TEST(Packing, RoundTripKeepsValuesAndNeighbours) {
  rc::check([] {
    const int width = *rc::gen::element(1, 2, 4, 6, 7);
    const auto value = *rc::gen::inRange<uint8_t>(0, static_cast<uint8_t>(1 << width));
    const auto index = *rc::gen::inRange(-8, 9);
    auto bytes = *rc::gen::container<std::vector<uint8_t>>(24, rc::gen::arbitrary<uint8_t>());
    const std::vector<uint8_t> before = bytes;
    uint8_t* const first = bytes.data() + 12;
    SetBitsAt(first, index * width, width, value);
    RC_ASSERT(BitsAt(first, index * width, width) == value);
    for (int other = -8; other <= 8; ++other) {
      if (other == index) continue;
      RC_ASSERT(BitsAt(first, other * width, width) == BitsAt(before.data() + 12, other * width, width));
    }
  });
}

// The header's formula gives each element whole bytes; within it, lane l lies at bit l * bits.
TEST(Packing, PutsLanesIntoTheirElement) {
  const std::vector<uint8_t> elements = {0x21, 0x03, 0x54, 0x06};
  std::array<uint8_t, 6> lanes{};
  SplitLanes({abi::kDLInt, 4, 3}, elements, lanes);
  EXPECT_EQ(lanes, (std::array<uint8_t, 6>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(HasPackedLanes({abi::kDLInt, 4, 3}));
  EXPECT_TRUE(LeavesBitsOver({abi::kDLInt, 4, 3}));
  EXPECT_FALSE(LeavesBitsOver({abi::kDLFloat6_e2m3fn, 6, 4}));
  EXPECT_FALSE(HasPackedLanes({abi::kDLInt, 8, 3}));
  EXPECT_FALSE(HasPackedLanes({abi::kDLInt, 4, 1}));
}

TEST(Packing, AppliesToUnpaddedSubByteTypes) {
  constexpr abi::DLDataType kFp4{abi::kDLFloat4_e2m1fn, 4, 1};
  EXPECT_EQ(PackedBits(kFp4, false), 4);
  EXPECT_EQ(PackedBits(kFp4, true), 0);
  EXPECT_EQ(PackedBits(kFp4, true, abi::kFlagSubbytePadded), 0);
  EXPECT_EQ(PackedBits(kFp4, false, abi::kFlagSubbytePadded), 4) << "a legacy struct has no flags";
  EXPECT_EQ(PackedBits({abi::kDLFloat4_e2m1fn, 4, 2}, false), 0) << "pairs of them fill a byte";
  EXPECT_EQ(PackedBits({abi::kDLBool, 8, 1}, false), 0);
}

}  // namespace
}  // namespace dlpack_cts
