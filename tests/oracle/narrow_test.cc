// tests/oracle/narrow_test.cc: what elements become in a type of fewer bits.
#include "harness/oracle/narrow.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace dlpack_cts {
namespace {

template <typename T>
std::vector<uint8_t> BytesOf(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename Wide, typename Narrow>
void ExpectNarrowed(abi::DLDataType from, abi::DLDataType to, const std::vector<Wide>& wide,
                    const std::vector<Narrow>& narrow) {
  std::vector<uint8_t> bytes = BytesOf(wide);
  ASSERT_TRUE(NarrowElements(from, to, bytes));
  const std::vector<uint8_t> wanted = BytesOf(narrow);
  bytes.resize(wanted.size());
  EXPECT_EQ(bytes, wanted);
}

TEST(NarrowElements, RoundsFloats) {
  ExpectNarrowed<double, float>({abi::kDLFloat, 64, 1}, {abi::kDLFloat, 32, 1}, {1.5, -0.1, 1e300},
                                {1.5f, -0.1f, static_cast<float>(1e300)});
  ExpectNarrowed<double, float>({abi::kDLComplex, 128, 1}, {abi::kDLComplex, 64, 1}, {1.5, -2.25}, {1.5f, -2.25f});
}

TEST(NarrowElements, WrapsIntegers) {
  ExpectNarrowed<int64_t, int32_t>({abi::kDLInt, 64, 1}, {abi::kDLInt, 32, 1}, {-7, (int64_t{1} << 33) + 5}, {-7, 5});
  ExpectNarrowed<uint32_t, uint8_t>({abi::kDLUInt, 32, 1}, {abi::kDLUInt, 8, 1}, {0x1234, 7}, {0x34, 7});
}

TEST(NarrowElements, RejectsOtherConversions) {
  std::vector<uint8_t> bytes(16);
  EXPECT_FALSE(NarrowElements({abi::kDLFloat, 32, 1}, {abi::kDLFloat, 16, 1}, bytes));
  EXPECT_FALSE(NarrowElements({abi::kDLFloat, 64, 1}, {abi::kDLInt, 32, 1}, bytes));
  EXPECT_FALSE(NarrowElements({abi::kDLFloat, 32, 1}, {abi::kDLFloat, 64, 1}, bytes));
}

}  // namespace
}  // namespace dlpack_cts
