// harness/choices/exported_by_both.cc: compares the layouts of exports.
#include "harness/choices/exported_by_both.h"

namespace dlpack_cts {
namespace {

/// Strides of the struct in elements; NULL is replaced by the strides that it means.
void StridesOf(const ExportLedger& exported, int64_t* strides) {
  const int dims = std::clamp(exported.tensor.ndim, 0, kDims);
  if (exported.null_strides != 0) {
    CompactStrides(exported.shape, dims, strides);
  } else {
    std::copy_n(exported.strides, dims, strides);
  }
}

}  // namespace

bool Exported::SameLayout() const {
  if (subject.tensor.ndim != ours.tensor.ndim) return false;
  int64_t a[kDims];
  int64_t b[kDims];
  StridesOf(subject, a);
  StridesOf(ours, b);
  return SameMeaning(ours.shape, a, b, ours.tensor.ndim);
}

bool Exported::IsLaidOutAs(const Description& array) const {
  const int64_t item = ItemSize(subject.tensor.dtype);
  int64_t strides[kDims];
  StridesOf(subject, strides);
  for (int d = 0; d < std::clamp(array.ndim, 0, kDims); ++d) strides[d] *= item;
  return SameMeaning(subject.shape, strides, array.byte_strides, array.ndim);
}

}  // namespace dlpack_cts
