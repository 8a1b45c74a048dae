// tests/recipe/elements_test.cc: element bits are finite, different for neighbours, and the same however they are made.
#include "harness/recipe/elements.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

uint64_t Bits(abi::DLDataType dtype, uint64_t seed, int64_t position) {
  uint8_t bytes[16] = {};
  ElementBits(dtype, seed, position, bytes);
  uint64_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

TEST(ElementBits, DifferWithinAWindowOfNeighbours) {
  for (const NamedDataType& type : DataTypes()) {
    if (type.name == "bool") continue;
    for (int64_t start : {0, 250, 1000, 65500}) {
      std::set<uint64_t> seen;
      const int values = (1 << std::min<int>(type.dtype.bits, 8)) - (type.dtype.bits < 8 ? 1 : 0);
      const int window = std::min(6, values);
      for (int64_t p = start; p < start + window; ++p) seen.insert(Bits(type.dtype, 42, p));
      EXPECT_EQ(seen.size(), static_cast<size_t>(window)) << type.name << " from " << start;
    }
  }
}

TEST(ElementBits, OfSubByteTypesAreNeverZero) {
  for (const NamedDataType& type : DataTypes()) {
    if (type.dtype.bits >= 8) continue;
    for (int64_t p = 0; p < 300; ++p) EXPECT_NE(Bits(type.dtype, static_cast<uint64_t>(p) * 77, p), 0u) << type.name;
  }
}

TEST(ElementBits, OfBoolAreZeroOrOneAndNeverTheSameThriceInARow) {
  for (int64_t p = 0; p < 1000; ++p) {
    const uint64_t a = Bits({abi::kDLBool, 8, 1}, 9, p);
    EXPECT_LE(a, 1u);
    EXPECT_FALSE(a == Bits({abi::kDLBool, 8, 1}, 9, p + 1) && a == Bits({abi::kDLBool, 8, 1}, 9, p + 2)) << p;
  }
}

/// Exponent mask of one part, from the published formats.
struct Format {
  const char* name;
  int part_bits;
  uint64_t exponent;
};

TEST(ElementBits, OfFloatsAreNeitherSpecialNorSubnormal) {
  static constexpr Format kFormats[] = {{"float16", 16, 0x7C00},         {"bfloat16", 16, 0x7F80},
                                        {"float32", 32, 0x7F800000},     {"complex32", 16, 0x7C00},
                                        {"complex64", 32, 0x7F800000},   {"float64", 64, 0x7FF0000000000000},
                                        {"float8_e3m4", 8, 0x70},        {"float8_e4m3", 8, 0x78},
                                        {"float8_e4m3b11fnuz", 8, 0x78}, {"float8_e4m3fn", 8, 0x78},
                                        {"float8_e4m3fnuz", 8, 0x78},    {"float8_e5m2", 8, 0x7C},
                                        {"float8_e5m2fnuz", 8, 0x7C},    {"complex128", 64, 0x7FF0000000000000}};
  for (const Format& format : kFormats) {
    const abi::DLDataType dtype = DataTypes()[static_cast<size_t>(DataTypeIndex(format.name))].dtype;
    for (int64_t p = 0; p < 3000; ++p) {
      uint8_t bytes[16];
      ElementBits(dtype, 5, p, bytes);
      for (int64_t at = 0; at < ItemSize(dtype); at += format.part_bits / 8) {
        uint64_t part = 0;
        std::memcpy(&part, bytes + at, static_cast<size_t>(format.part_bits / 8));
        ASSERT_NE(part & format.exponent, format.exponent) << format.name;
        ASSERT_NE(part & format.exponent, 0u) << format.name;
      }
    }
  }
}

TEST(ElementBits, OfScalesAreNeitherNanNorTheSmallest) {
  for (int64_t p = 0; p < 3000; ++p) {
    const uint64_t bits = Bits({abi::kDLFloat8_e8m0fnu, 8, 1}, 5, p);
    EXPECT_NE(bits, 0xFFu);
    EXPECT_NE(bits, 0u);
  }
}

TEST(ElementBits, DifferBetweenSlots) {
  EXPECT_NE(Bits({abi::kDLInt, 64, 1}, SlotSeed(7, 0), 0), Bits({abi::kDLInt, 64, 1}, SlotSeed(7, 1), 0));
}

TEST(ElementBits, KeepUnusedBitsOfSmallTypesClear) {
  for (int64_t p = 0; p < 100; ++p) EXPECT_LT(Bits({abi::kDLFloat6_e2m3fn, 6, 1}, 1, p), 64u);
}

TEST(ElementRun, IsTheSameAsElementByElement) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint8_t code, uint8_t bits, uint8_t lanes, int16_t position, int8_t step) {
    const abi::DLDataType dtype = {static_cast<uint8_t>(code % 19), bits, static_cast<uint16_t>(lanes % 5)};
    const auto item = static_cast<size_t>(ItemSize(dtype));
    std::vector<uint8_t> run(5 * item + 8, 0xEE);
    std::vector<uint8_t> single(run);
    ElementRun(dtype, seed, position, step, 5, run.data());
    for (int i = 0; i < 5; ++i) {
      ElementBits(dtype, seed, position + i * step, single.data() + static_cast<size_t>(i) * item);
    }
    RC_ASSERT(run == single);
    for (size_t i = 5 * item; i < run.size(); ++i) RC_ASSERT(run[i] == 0xEE);
  }));
}

}  // namespace
}  // namespace dlpack_cts
