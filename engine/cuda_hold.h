// engine/cuda_hold.h: the ways to hold a stream of a CUDA device.
//
// A kernel is the first way. It occupies one thread of the device and nothing else. A host function is the way where
// there are no kernels. CUDA may run the host functions of all streams one after another: those of the library then
// wait too.
#ifndef DLPACK_CTS_ENGINE_CUDA_HOLD_H_
#define DLPACK_CTS_ENGINE_CUDA_HOLD_H_

#include <chrono>
#include <cstdint>
#include <memory>

#include "engine/cuda_driver.h"

namespace dlpack_cts {

/// Work on a stream that ends when End() is called, or by itself after a while. It may outlive this object, whose
/// destructor neither ends it nor waits for it.
class StreamHold {
 public:
  virtual ~StreamHold() = default;
  virtual bool IsOver() const = 0;
  virtual void End() = 0;
};

/// Holds a stream of the current device for `longest` at most. NULL if that is not possible in this way.
using HoldStream = std::unique_ptr<StreamHold> (*)(const CudaDriver& driver, uint64_t stream,
                                                   std::chrono::milliseconds longest);
/// NULL without kernels, and if the launch waits for the kernel (CUDA_LAUNCH_BLOCKING).
std::unique_ptr<StreamHold> HoldByKernel(const CudaDriver& driver, uint64_t stream, std::chrono::milliseconds longest);
std::unique_ptr<StreamHold> HoldByHostFunction(const CudaDriver& driver, uint64_t stream,
                                               std::chrono::milliseconds longest);

/// The first way that works is taken.
inline constexpr HoldStream kHolds[] = {&HoldByKernel, &HoldByHostFunction};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_HOLD_H_
