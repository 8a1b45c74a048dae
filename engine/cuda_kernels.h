// engine/cuda_kernels.h: the kernels of the harness: their compiled image, and how they are launched.
#ifndef DLPACK_CTS_ENGINE_CUDA_KERNELS_H_
#define DLPACK_CTS_ENGINE_CUDA_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "engine/cuda_driver.h"

namespace dlpack_cts {

/// A fatbin of cuda_kernels.cu, or one byte if nvcc was not found at build time.
extern const unsigned char kCudaKernels[];
extern const size_t kCudaKernelsSize;

inline bool HasCudaKernels() { return kCudaKernelsSize > 1; }

/// Queues one block of threads of a kernel on a stream of the current device. The argument is copied. False if the
/// program has no kernels, or the driver cannot load or launch this one. The first launch on a device loads the kernel,
/// which may wait for the whole device. A kernel stays loaded until the process ends. Usable on any thread.
bool LaunchKernel(const CudaDriver& driver, uint64_t stream, const char* name, void* argument, unsigned threads);

enum class KernelRan { kNotStarted, kDone, kFailed };
/// Launches a kernel and waits for it. kFailed: the kernel caused an error, and CUDA does not work in this process any
/// more.
KernelRan RunKernel(const CudaDriver& driver, uint64_t stream, const char* name, void* argument, unsigned threads);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_KERNELS_H_
