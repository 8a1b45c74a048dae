// engine/cuda_kernels.cu: the kernels of the harness. nvcc compiles them at build time, where there is one.
#include "engine/cuda_arguments.h"

/// Reads byte by byte, so that an element may have any address.
extern "C" __global__ void dlpack_cts_gather(const dlpack_cts::GatherTask task) {
  const auto* const from = reinterpret_cast<const unsigned char*>(task.from);
  auto* const to = reinterpret_cast<unsigned char*>(task.to);
  const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < task.count; i += threads) {
    int64_t place = 0;
    int64_t left = i;
    for (int64_t d = task.ndim - 1; d >= 0; --d) {
      place += left % task.shape[d] * task.byte_strides[d];
      left /= task.shape[d];
    }
    for (int64_t byte = 0; byte < task.item; ++byte) to[i * task.item + byte] = from[place + byte];
  }
}

extern "C" __global__ void dlpack_cts_count(const dlpack_cts::CountTask task) {
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned others = 0;
  for (int range = 0; range < 2; ++range) {
    for (uint64_t at = task.begin[range] + threadIdx.x; at < task.end[range]; at += blockDim.x) {
      others += *reinterpret_cast<const unsigned char*>(at) != task.pattern;
    }
  }
  if (others != 0) atomicAdd(&total, others);
  __syncthreads();
  if (threadIdx.x == 0) *reinterpret_cast<unsigned*>(task.result) = total;
}
