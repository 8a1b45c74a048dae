// fuzz/targets/header_words.cc: the dictionary of the target `header`.
#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "fuzz/targets/header_bytes.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts::fuzz {
namespace {

/// Extents, strides and offsets: signs, products that overflow, and the thresholds of small integers.
constexpr int64_t kWords[] = {-1,
                              -4,
                              0,
                              1,
                              255,
                              256,
                              65536,
                              int64_t{1} << 31,
                              int64_t{1} << 32,
                              int64_t{1} << 33,
                              int64_t{1} << 61,
                              int64_t{1} << 62,
                              std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<int64_t>::min()};
/// Numbers of dimensions: none, and around the limits of NumPy (64 and 32), TensorFlow (254) and others.
constexpr int32_t kRanks[] = {
    -1, 0, 1, 2, 8, 9, 16, 25, 26, 32, 33, 64, 65, 254, 255, 1000, std::numeric_limits<int32_t>::min()};
constexpr abi::DLPackVersion kVersions[] = {{0, 8}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 255}, {2, 0}, {0x10001, 0}};
constexpr int32_t kLastDevice = abi::kDLAscend;

template <typename Value>
void Add(std::string_view name, const Value& value, std::string& to) {
  uint8_t bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  to += fmt::format("{}=\"", name);
  for (const uint8_t byte : bytes) to += fmt::format("\\x{:02x}", byte);
  to += "\"\n";
}

}  // namespace

std::string HeaderDictionary() {
  std::string lines = "# header.dict: fields of DLPack structs. dlpack-cts-fuzz-seeds writes this file.\n";
  for (const NamedDataType& type : DataTypes()) Add(type.name, type.dtype, lines);
  Add("float32_of_two_lanes", abi::DLDataType{abi::kDLFloat, 32, 2}, lines);
  Add("without_bits", abi::DLDataType{abi::kDLFloat, 0, 1}, lines);
  for (int32_t type = 0; type <= kLastDevice; ++type) {
    Add(fmt::format("device_{}", type), abi::DLDevice{type, 0}, lines);
  }
  for (const abi::DLPackVersion& version : kVersions) {
    Add(fmt::format("version_{}_{}", version.major, version.minor), version, lines);
  }
  int number = 0;
  for (const int32_t rank : kRanks) Add(fmt::format("ndim_{}", ++number), rank, lines);
  for (const int64_t word : kWords) Add(fmt::format("word_{}", ++number), word, lines);
  return lines;
}

}  // namespace dlpack_cts::fuzz
