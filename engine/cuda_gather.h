// engine/cuda_gather.h: the argument of the kernel that reads a strided tensor (cuda_kernels.cu).
#ifndef DLPACK_CTS_ENGINE_CUDA_GATHER_H_
#define DLPACK_CTS_ENGINE_CUDA_GATHER_H_

#include <cstdint>

namespace dlpack_cts {

inline constexpr int kGatherDims = 64;

/// Copy `count` elements of `item` bytes, row-major, from a strided tensor to compact memory. It is passed by value, so
/// the kernel needs no other memory.
struct GatherTask {
  uint64_t from;  // element 0
  uint64_t to;
  int64_t item;
  int64_t count;
  int64_t ndim;
  int64_t shape[kGatherDims];
  int64_t byte_strides[kGatherDims];
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_GATHER_H_
