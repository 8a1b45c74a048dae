// reference/managed.cc: known dtypes, compact strides, reads of a whole managed tensor.
#include "reference/managed.h"
#include "harness/recipe/dtypes.h"

#include <cstddef>

namespace dlpack_cts {
namespace {

/// The product of extents so far times `extent`; 0 if it overflows.
int64_t Times(int64_t product, int64_t extent) {
  return __builtin_mul_overflow(product, std::max<int64_t>(extent, 1), &product) ? 0 : product;
}

}  // namespace

bool IsKnownType(abi::DLDataType dtype) { return DataTypeIndex(abi::DLDataType{dtype.code, dtype.bits, 1}) >= 0; }

void RowMajorStrides(const int64_t* shape, int ndim, int64_t* strides) {
  int64_t next = 1;
  for (int d = ndim - 1; d >= 0; --d) {
    strides[d] = next;
    next = Times(next, shape[d]);
  }
}

void ColumnMajorStrides(const int64_t* shape, int ndim, int64_t* strides) {
  int64_t next = 1;
  for (int d = 0; d < ndim; ++d) {
    strides[d] = next;
    next = Times(next, shape[d]);
  }
}

void TouchManaged(bool versioned, const void* managed) {
  const size_t size = versioned ? sizeof(abi::DLManagedTensorVersioned) : sizeof(abi::DLManagedTensor);
  volatile uint8_t sum = 0;
  for (size_t i = 0; i < size; ++i) {
    sum = static_cast<uint8_t>(sum + static_cast<const volatile uint8_t*>(managed)[i]);
  }
}

}  // namespace dlpack_cts
