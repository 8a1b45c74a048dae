// adapters/reference/managed.cc: element types, compact strides, and the bytes of a managed tensor.
#include "adapters/reference/managed.h"

#include <cstddef>

namespace dlpack_cts {
namespace {

/// The running product of extents; 0 once it does not fit.
int64_t Times(int64_t product, int64_t extent) {
  return __builtin_mul_overflow(product, std::max<int64_t>(extent, 1), &product) ? 0 : product;
}

}  // namespace

bool IsKnownType(abi::DLDataType dtype) {
  switch (dtype.code) {
    case abi::kDLInt:
    case abi::kDLUInt:
      return dtype.bits == 2 || dtype.bits == 4 || dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 ||
             dtype.bits == 64;
    case abi::kDLFloat:
      return dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case abi::kDLComplex:
      return dtype.bits == 32 || dtype.bits == 64 || dtype.bits == 128;
    case abi::kDLBfloat:
      return dtype.bits == 16;
    case abi::kDLBool:
      return dtype.bits == 8;
    case abi::kDLFloat6_e2m3fn:
    case abi::kDLFloat6_e3m2fn:
      return dtype.bits == 6;
    case abi::kDLFloat4_e2m1fn:
      return dtype.bits == 4;
    default:
      return dtype.code >= abi::kDLFloat8_e3m4 && dtype.code <= abi::kDLFloat8_e8m0fnu && dtype.bits == 8;
  }
}

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
