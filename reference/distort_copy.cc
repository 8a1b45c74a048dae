// reference/distort_copy.cc: the defects and variants of the memory of copies.
#include "reference/distort_copy.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "reference/ring.h"

namespace dlpack_cts {
namespace {

/// The bytes between the lowest and the highest element of an array whose elements do not share bytes.
struct Reach {
  int64_t lowest = 0;
  int64_t bytes = 0;
};

Reach ReachOf(const Array& array) {
  Reach reach;
  int64_t highest = 0;
  for (int d = 0; d < array.ndim; ++d) {
    (array.steps[d] < 0 ? reach.lowest : highest) += array.steps[d] * (array.shape[d] - 1);
  }
  reach.bytes = highest - reach.lowest + array.ItemSize();
  return reach;
}

int64_t BytesOf(const Array& copy) {
  return copy.packed != 0 ? (copy.Count() * copy.packed + 7) / 8 : copy.Count() * copy.ItemSize();
}

}  // namespace

void CopyInMemoryOrder(const Array& array, Array& copy) {
  const int64_t bytes = BytesOf(copy);
  const Reach reach = array.packed != 0 || bytes == 0 ? Reach{} : ReachOf(array);
  if (reach.bytes < bytes) return;
  if (bytes != 0) std::memcpy(copy.first, array.first + reach.lowest, static_cast<size_t>(bytes));
}

void CopyInLayout(const Array& array, Array& copy) {
  const int64_t bytes = BytesOf(copy);
  const bool plain = array.packed == 0 && array.oddity == Oddity::kNone && bytes != 0;
  if (!plain || std::any_of(array.steps, array.steps + array.ndim, [](int64_t step) { return step < 0; })) return;
  const Reach reach = ReachOf(array);
  if (reach.bytes > bytes) return;
  std::memcpy(copy.first, array.first, static_cast<size_t>(reach.bytes));
  std::copy_n(array.steps, array.ndim, copy.steps);
}

void CutToWholeBytes(Array& copy) {
  const int64_t bits = copy.packed == 0 ? 0 : copy.Count() * copy.packed;
  if (bits % 8 != 0) copy.first[bits / 8] = 0;
}

void CutCopy(uint32_t most, Array& copy) {
  const int64_t rest = BytesOf(copy) - int64_t{most};
  if (rest > 0) std::memset(copy.first + most, 0, static_cast<size_t>(rest));
}

void CutInHalf(Array& copy) {
  const int64_t most = (copy.Count() + 1) / 2 * copy.ItemSize();
  const int64_t rest = copy.packed != 0 ? 0 : BytesOf(copy) - most;
  if (rest > 0) std::memset(copy.first + most, 0, static_cast<size_t>(rest));
}

void PadCopy(Array& copy) {
  if (copy.packed == 0) return;
  std::vector<uint8_t> elements(static_cast<size_t>(copy.Count()));
  ReadElements(copy, elements.data());
  copy.packed = 0;
  copy.padded = true;
  std::copy(elements.begin(), elements.end(), copy.first);
}

void MoveIntoRing(uint32_t ring, Array& copy) {
  using Memory = std::array<uint8_t, 16384>;
  const auto bytes = static_cast<size_t>(BytesOf(copy));
  if (bytes == 0 || bytes > std::tuple_size_v<Memory>) return;
  uint8_t* const memory = NextInRing<Memory>(ring).data();
  std::memcpy(memory, copy.first, bytes);
  copy.first = copy.base = memory;
}

}  // namespace dlpack_cts
