// harness/oracle/narrow.cc: converts elements to narrower dtypes.
#include "harness/oracle/narrow.h"

#include <cstring>

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

void NarrowIntegers(size_t wide, size_t narrow, std::span<uint8_t> bytes) {
  // Little-endian: the low bytes come first.
  const size_t count = bytes.size() / wide;
  for (size_t i = 0; i < count; ++i) std::memmove(bytes.data() + i * narrow, bytes.data() + i * wide, narrow);
}

void NarrowDoubles(std::span<uint8_t> bytes) {
  const size_t count = bytes.size() / sizeof(double);
  for (size_t i = 0; i < count; ++i) {
    double wide;
    std::memcpy(&wide, bytes.data() + i * sizeof(double), sizeof(double));
    const auto narrow = static_cast<float>(wide);
    std::memcpy(bytes.data() + i * sizeof(float), &narrow, sizeof(float));
  }
}

}  // namespace

bool NarrowElements(abi::DLDataType from, abi::DLDataType to, std::span<uint8_t> bytes) {
  if (!IsNarrower(to, from) || from.lanes != 1) return false;
  if (from.code == abi::kDLInt || from.code == abi::kDLUInt) {
    NarrowIntegers(from.bits / 8, to.bits / 8, bytes);
    return true;
  }
  const bool doubles = from.code == abi::kDLFloat && from.bits == 64 && to.bits == 32;
  const bool pairs = from.code == abi::kDLComplex && from.bits == 128 && to.bits == 64;
  if (!doubles && !pairs) return false;
  NarrowDoubles(bytes);
  return true;
}

}  // namespace dlpack_cts
