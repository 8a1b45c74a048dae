// tests/cuda/fake_kernels.cc: kernels of the fake driver. A kernel is known by its name, and runs on host memory.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

extern "C" {
// fake_driver.cc
int cuCtxGetDevice(int* device);
int cuLaunchHostFunc(void* stream, void (*function)(void*), void* argument);
int cuPointerGetAttribute(void* value, int attribute, uint64_t address);
int fakeIllegalAccess();
}

namespace {

constexpr int kInvalidImage = 200;
constexpr int kNotFound = 500;
constexpr std::string_view kGather = "dlpack_cts_gather";
constexpr int kMemoryType = 2, kDeviceOrdinal = 9;
constexpr unsigned kDeviceMemory = 2;

/// The argument of dlpack_cts_gather: five words, and 64 extents and strides.
struct Gather {
  uint64_t from, to;
  int64_t item, count, ndim, shape[64], strides[64];
};

struct Launch {
  Gather task;
  int device;
};

/// Whether a kernel on that device can use the address.
bool IsThere(uint64_t address, int device) {
  unsigned type = 0;
  int its = -1;
  if (cuPointerGetAttribute(&type, kMemoryType, address) != 0) return false;
  return type != kDeviceMemory || (cuPointerGetAttribute(&its, kDeviceOrdinal, address) == 0 && its == device);
}

/// Counts through the indices with the last one fastest.
void Run(void* argument) {
  const std::unique_ptr<Launch> launch(static_cast<Launch*>(argument));
  const Gather& task = launch->task;
  std::vector<int64_t> index(64, 0);
  uint64_t to = task.to;
  for (int64_t left = task.count; left > 0; --left, to += static_cast<uint64_t>(task.item)) {
    uint64_t from = task.from;
    for (int64_t d = 0; d < task.ndim; ++d) from += static_cast<uint64_t>(index[d] * task.strides[d]);
    if (!IsThere(from, launch->device) || !IsThere(to, launch->device)) {
      fakeIllegalAccess();
      return;
    }
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), static_cast<size_t>(task.item));
    for (int64_t d = task.ndim - 1; d >= 0 && ++index[d] == task.shape[d]; --d) index[d] = 0;
  }
}

}  // namespace

extern "C" {

/// Like the real driver, knows an image by its first word: that of a fatbin.
int cuModuleLoadData(void** module, const void* image) {
  constexpr uint32_t kFatbin = 0xBA55ED50;
  *module = const_cast<void*>(image);
  return std::memcmp(image, &kFatbin, sizeof kFatbin) == 0 ? 0 : kInvalidImage;
}

int cuModuleUnload(void*) { return 0; }

int cuModuleGetFunction(void** function, void* module, const char* name) {
  *function = module;
  return name == kGather ? 0 : kNotFound;
}

int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void* stream,
                   void** arguments, void**) {
  auto launch = std::make_unique<Launch>();
  launch->task = *static_cast<const Gather*>(arguments[0]);
  if (const int status = cuCtxGetDevice(&launch->device); status != 0) return status;
  const int status = cuLaunchHostFunc(stream, &Run, launch.get());
  if (status == 0) launch.release();
  return status;
}
}
