// engine/cuda_kernels.h: the compiled kernels of the harness, as an image for the CUDA driver.
#ifndef DLPACK_CTS_ENGINE_CUDA_KERNELS_H_
#define DLPACK_CTS_ENGINE_CUDA_KERNELS_H_

#include <cstddef>

namespace dlpack_cts {

/// A fatbin of cuda_kernels.cu, or one byte if nvcc was not found at build time.
extern const unsigned char kCudaKernels[];
extern const size_t kCudaKernelsSize;

inline bool HasCudaKernels() { return kCudaKernelsSize > 1; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_KERNELS_H_
