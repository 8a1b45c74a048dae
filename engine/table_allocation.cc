// engine/table_allocation.cc: builds the prototype, and checks it again after the call.
#include "engine/table_allocation.h"

#include <algorithm>
#include <cstring>

namespace dlpack_cts {
namespace {

template <typename T>
T* Garbage() {
  return reinterpret_cast<T*>(uintptr_t{0x10});
}

}  // namespace

abi::DLManagedTensorVersioned* AllocateByTable(Subject& subject, const Request& request, Prototype kind,
                                               TableLedger& table, Refusal& refusal) {
  // Outlives the call, so that a tensor that points to it can be read. It shows what is written there later.
  thread_local int64_t shape[kDims];
  std::fill_n(shape, kDims, 0);
  std::copy_n(request.shape, request.dims, shape);
  struct {
    abi::DLTensor prototype;
    uint64_t behind[4];
  } caller{};
  abi::DLTensor& prototype = caller.prototype;
  prototype.data = Garbage<void>();
  prototype.strides = Garbage<int64_t>();
  prototype.byte_offset = 0xDEADBEEF;
  prototype.device = {abi::kDLCPU, 0};
  prototype.ndim = request.dims;
  prototype.dtype = request.dtype;
  prototype.shape = shape;
  if (kind == Prototype::kForeignType) prototype.dtype = {200, 7, 1};
  if (kind == Prototype::kForeignDevice) prototype.device = {77, 0};
  if (kind == Prototype::kNegativeExtent || kind == Prototype::kHuge) {
    prototype.ndim = 1;
    shape[0] = kind == Prototype::kHuge ? int64_t{1} << 60 : -1;
    // The product, in 64 bits, is 0.
    if (kind == Prototype::kHuge && request.dims > 1) {
      prototype.ndim = 2;
      shape[0] = shape[1] = int64_t{1} << 32;
    }
  }
  const auto offered = caller;
  int64_t offered_shape[kDims];
  std::copy_n(shape, kDims, offered_shape);
  abi::DLManagedTensorVersioned* tensor = subject.table()->Allocate(&prototype, table, refusal);
  table.prototype_changed =
      std::memcmp(&caller, &offered, sizeof(offered)) != 0 || std::memcmp(shape, offered_shape, sizeof(shape)) != 0;
  // A tensor that kept a pointer to the prototype's shape now shows these extents.
  std::memset(shape, 0x5A, sizeof(shape));
  std::memset(&prototype, 0x5A, sizeof(prototype));
  return tensor;
}

}  // namespace dlpack_cts
