// harness/case/thresholds.h: numbers at which fields of 16, 32 or 64 bits end, and tensors that have them.
#ifndef DLPACK_CTS_HARNESS_CASE_THRESHOLDS_H_
#define DLPACK_CTS_HARNESS_CASE_THRESHOLDS_H_

#include <algorithm>
#include <cstdint>

#include "harness/case/case.h"

namespace dlpack_cts {

/// 2^15, 2^16, 2^31, 2^32, 2^62, or a number beside one of them; rarely 2^63 - 1.
int64_t DrawMagnitude(Random& random);

/// Values of byte_offset at which a field of 16 or 32 bits ends, with or without a sign: three for each such number.
inline constexpr int kFarOffsets = 12;
/// Offset number `row` of them: a multiple of the item size, and of the alignment that the consumer needs for `data`.
uint64_t FarOffset(const Profile& profile, int row, abi::DLDataType dtype);
/// Values of byte_offset above 2^61, at which it leaves 63 bits or the range of a signed integer.
inline constexpr int kVastOffsets = 7;
/// Offset number `row` of them, as FarOffset().
uint64_t VastOffset(const Profile& profile, int row, abi::DLDataType dtype);
/// Gives the offer one of FarOffset(), which leads to its elements through a sparse mapping.
void PutFar(const Profile& profile, int row, Offer& offer);

/// Makes the offer an empty tensor of any rank that the subject imports, with one huge extent in any dimension, and
/// huge strides, which have no meaning there. Its data pointer is NULL or leads to inaccessible memory.
void MakeVast(Draw& draw, Offer& offer);

/// What the subject imports, also with up to 64 dimensions and more than 64 KiB.
inline Limits OfAnySize(const Draw& draw) {
  Limits any = draw.limits();
  any.deepest = draw.profile.takes_deepest;
  any.large = true;
  return any;
}

/// Makes an offer or a request larger than 64 KiB, or than 1 MiB, in its dtype and with that number of dimensions.
template <typename Block>
void MakeLarge(int dims, bool million, bool column_major, Block& block) {
  const int64_t row = million ? 70001 : 101;  // so that a stride needs more than 16 bits
  const int64_t elements = (int64_t{1} << (million ? 20 : 16)) / ItemSize(block.dtype) + 777;
  block.large = 1;
  block.dims = static_cast<uint8_t>(dims);
  std::fill_n(block.shape, kDims, 0);
  std::fill_n(block.strides, kDims, 0);
  std::fill_n(block.shape, dims, 1);
  if (dims > 0) block.shape[0] = dims == 1 ? elements : elements / row + 1;
  if (dims > 1) block.shape[dims - 1] = row;
  block.strides_kind = column_major ? StridesKind::kExplicit : StridesKind::kCompact;
  int64_t stride = 1;
  for (int d = 0; d < dims && column_major; stride *= block.shape[d++]) block.strides[d] = stride;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_THRESHOLDS_H_
