// engine/cuda_arguments.h: the names and the arguments of the kernels (cuda_kernels.cu). They are passed by value.
#ifndef DLPACK_CTS_ENGINE_CUDA_ARGUMENTS_H_
#define DLPACK_CTS_ENGINE_CUDA_ARGUMENTS_H_

#include <cstdint>

namespace dlpack_cts {

inline constexpr char kGatherKernel[] = "dlpack_cts_gather";
inline constexpr char kCountKernel[] = "dlpack_cts_count";
inline constexpr char kHoldKernel[] = "dlpack_cts_hold";

inline constexpr int kGatherDims = 64;

/// Copy `count` elements of `item` bytes, row-major, from a strided tensor to compact memory.
struct GatherTask {
  uint64_t from;  // element 0
  uint64_t to;
  int64_t item;
  int64_t count;
  int64_t ndim;
  int64_t shape[kGatherDims];
  int64_t byte_strides[kGatherDims];
};

/// Count the bytes of two ranges that are not `pattern`. The kernel has one block of threads.
struct CountTask {
  uint64_t begin[2];
  uint64_t end[2];
  uint64_t result;  // address of a uint32_t in pinned memory
  uint32_t pattern;
};

/// Spin with one thread until `opened` is not 0, or `longest` nanoseconds have passed. Then set `passed` to 1. Both are
/// addresses of a uint32_t in pinned memory.
struct HoldTask {
  uint64_t opened;
  uint64_t passed;
  int64_t longest;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_ARGUMENTS_H_
