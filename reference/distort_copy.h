// reference/distort_copy.h: how mutants and conforming variants change the memory of a copy, of an import or an export.
#ifndef DLPACK_CTS_REFERENCE_DISTORT_COPY_H_
#define DLPACK_CTS_REFERENCE_DISTORT_COPY_H_

#include <cstdint>

#include "reference/array.h"

namespace dlpack_cts {

/// The lowest `bits` bits of the number, with their sign.
inline int64_t Narrowed(int64_t number, uint8_t bits) {
  if (bits == 0 || bits >= 64) return number;
  const int rest = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(number) << rest) >> rest;
}

/// The copy has the bytes of the array as they lie in memory, although it is row-major.
void CopyInMemoryOrder(const Array& array, Array& copy);
/// The copy has the strides of the array, where that needs no more memory.
void CopyInLayout(const Array& array, Array& copy);
/// Clears the last byte of packed elements that do not fill it.
void CutToWholeBytes(Array& copy);
/// Clears the bytes after the first `most`.
void CutCopy(uint32_t most, Array& copy);
/// Clears the second half of the elements.
void CutInHalf(Array& copy);
/// Gives each element of a packed copy a byte of its own.
void PadCopy(Array& copy);
/// Moves the elements to the next of `ring` memory blocks, if one is large enough.
void MoveIntoRing(uint32_t ring, Array& copy);

/// `Steps` is Importing or Exporting.
template <typename Steps>
void DistortCopiedElements(const Steps& steps, const Occasion& occasion, const Array& array, Array& copy) {
  if (Holds(steps.copies_memory_order, occasion)) CopyInMemoryOrder(array, copy);
  if (Holds(steps.copies_whole_bytes, occasion)) CutToWholeBytes(copy);
  if (steps.copies_at_most != 0) CutCopy(steps.copies_at_most, copy);
  if (steps.copies_ring != 0) MoveIntoRing(steps.copies_ring, copy);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_DISTORT_COPY_H_
