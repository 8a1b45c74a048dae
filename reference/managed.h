// reference/managed.h: reading a managed tensor, legacy or versioned.
#ifndef DLPACK_CTS_REFERENCE_MANAGED_H_
#define DLPACK_CTS_REFERENCE_MANAGED_H_

#include <algorithm>
#include <cstdint>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

inline const abi::DLTensor& TensorOf(bool versioned, const void* managed) {
  return versioned ? static_cast<const abi::DLManagedTensorVersioned*>(managed)->dl_tensor
                   : static_cast<const abi::DLManagedTensor*>(managed)->dl_tensor;
}

inline void* ContextOf(bool versioned, const void* managed) {
  return versioned ? static_cast<const abi::DLManagedTensorVersioned*>(managed)->manager_ctx
                   : static_cast<const abi::DLManagedTensor*>(managed)->manager_ctx;
}

/// True if an extent is 0.
inline bool IsEmpty(const abi::DLTensor& tensor) {
  return tensor.ndim > 0 && std::find(tensor.shape, tensor.shape + tensor.ndim, 0) != tensor.shape + tensor.ndim;
}

/// True for the dtypes of DLPack 1.3, and for vectors of them.
bool IsKnownType(abi::DLDataType dtype);

/// Compact strides in elements: the last dimension (row-major) or the first one varies fastest. 0 if a product
/// overflows.
void RowMajorStrides(const int64_t* shape, int ndim, int64_t* strides);
void ColumnMajorStrides(const int64_t* shape, int ndim, int64_t* strides);

/// Reads every byte of the struct.
void TouchManaged(bool versioned, const void* managed);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_MANAGED_H_
