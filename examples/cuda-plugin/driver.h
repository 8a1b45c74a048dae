// examples/cuda-plugin/driver.h: the CUDA driver API that "tiny-cuda" uses; a real library includes cuda.h and links
// libcuda.
#ifndef TINY_CUDA_DRIVER_H_
#define TINY_CUDA_DRIVER_H_

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tiny {

/// Calls a function of libcuda.so.1, and throws if its status is not 0.
template <typename... Arguments>
void Cuda(const char* name, Arguments... arguments) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  void* const function = library == nullptr ? nullptr : dlsym(library, name);
  if (function == nullptr) throw std::runtime_error(std::string("there is no CUDA driver with ") + name);
  const int status = reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
  if (status != 0) throw std::runtime_error(std::string(name) + " returned " + std::to_string(status));
}

/// Makes device 0 current on this thread while it exists. A deleter may run on a thread without a current device.
class OnDevice {
 public:
  OnDevice() {
    void* context = nullptr;
    Cuda("cuCtxGetCurrent", &before_);
    Cuda("cuDevicePrimaryCtxRetain", &context, 0);
    Cuda("cuCtxSetCurrent", context);
  }
  ~OnDevice() {
    try {
      Cuda("cuCtxSetCurrent", before_);
    } catch (const std::exception&) {
    }
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  void* before_ = nullptr;
};

}  // namespace tiny

#endif  // TINY_CUDA_DRIVER_H_
