// engine/cuda_kernels.cc: loads the kernels of the harness once for each device, and launches them.
#include "engine/cuda_kernels.h"

#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace dlpack_cts {
namespace {

/// The kernels that were asked for. NULL: the driver cannot load it, so it is not asked again.
struct Loaded {
  std::mutex mutex;
  std::map<int, void*> modules;  // by device
  std::map<std::pair<int, std::string_view>, void*> kernels;
};

/// The kernel on the current device, or NULL.
void* KernelOf(const CudaDriver& driver, const char* name) {
  static Loaded loaded;
  const int device = driver.Current();
  if (!HasCudaKernels() || device < 0 || driver.IsBroken()) return nullptr;
  const std::lock_guard lock(loaded.mutex);
  const auto [module, first] = loaded.modules.try_emplace(device, nullptr);
  if (first) module->second = driver.LoadModule(kCudaKernels);
  if (module->second == nullptr) return nullptr;
  const auto [kernel, unknown] = loaded.kernels.try_emplace({device, name}, nullptr);
  if (unknown) kernel->second = driver.KernelOf(module->second, name);
  return kernel->second;
}

}  // namespace

bool LaunchKernel(const CudaDriver& driver, uint64_t stream, const char* name, void* argument, unsigned threads) {
  void* const kernel = KernelOf(driver, name);
  return kernel != nullptr && driver.Launch(stream, kernel, argument, threads);
}

KernelRan RunKernel(const CudaDriver& driver, uint64_t stream, const char* name, void* argument, unsigned threads) {
  if (!LaunchKernel(driver, stream, name, argument, threads)) return KernelRan::kNotStarted;
  if (driver.Wait(stream)) return KernelRan::kDone;
  driver.Synchronize();  // notes the error
  return KernelRan::kFailed;
}

}  // namespace dlpack_cts
