// examples/cuda-plugin/dlpack_abi.h: the structs of DLPack; a real library includes dlpack/dlpack.h instead.
#ifndef TINY_CUDA_DLPACK_ABI_H_
#define TINY_CUDA_DLPACK_ABI_H_

#include <cstdint>

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;      // in elements
  uint64_t byte_offset;  // in bytes
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
};

constexpr int32_t kDLCUDA = 2;
constexpr uint64_t kIsCopied = 2;

#endif  // TINY_CUDA_DLPACK_ABI_H_
