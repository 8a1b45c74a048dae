// engine/cuda_kernels.cu: the kernels of the harness. nvcc compiles them at build time, where there is one.
#include "engine/cuda_arguments.h"

namespace {

constexpr int64_t kMostTicks = 4;  // of a device's clock in a nanosecond; no clock is faster

__device__ int64_t Nanoseconds() {
  int64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// The host writes and reads these words while the kernel runs.

__device__ unsigned Load(uint64_t word) {
  unsigned value;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

__device__ void Store(uint64_t word, unsigned value) {
  asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

}  // namespace

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

/// Two clocks bound the time, so that the kernel also ends if one of them stands still.
extern "C" __global__ void dlpack_cts_hold(const dlpack_cts::HoldTask task) {
  const int64_t start = Nanoseconds();
  const int64_t first_tick = clock64();
  while (Load(task.opened) == 0 && Nanoseconds() - start < task.longest &&
         (clock64() - first_tick) / kMostTicks < task.longest) {
    __nanosleep(1000);
  }
  Store(task.passed, 1);
}
