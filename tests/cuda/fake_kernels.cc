// tests/cuda/fake_kernels.cc: kernels of the fake driver. A kernel is known by its name, and runs on host memory.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <thread>
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
constexpr int kNoBinary = 209;
constexpr int kNotFound = 500;
constexpr int kMemoryType = 2, kDeviceOrdinal = 9;
constexpr unsigned kDeviceMemory = 2;

/// The arguments of the kernels, as the driver sees them. Of dlpack_cts_gather: five words, and 64 extents and strides.
struct Gather {
  uint64_t from, to;
  int64_t item, count, ndim, shape[64], strides[64];
};

struct Hold {
  uint64_t opened, passed;
  int64_t longest;
};

struct Count {
  uint64_t begin[2], end[2], result;
  uint32_t pattern;
};

/// Whether a kernel on that device can use the address.
bool IsThere(uint64_t address, int device) {
  unsigned type = 0;
  int its = -1;
  if (cuPointerGetAttribute(&type, kMemoryType, address) != 0) return false;
  return type != kDeviceMemory || (cuPointerGetAttribute(&its, kDeviceOrdinal, address) == 0 && its == device);
}

/// Counts through the indices with the last one fastest.
void RunGather(const void* argument, int device) {
  const Gather& task = *static_cast<const Gather*>(argument);
  std::vector<int64_t> index(64, 0);
  uint64_t to = task.to;
  for (int64_t left = task.count; left > 0; --left, to += static_cast<uint64_t>(task.item)) {
    uint64_t from = task.from;
    for (int64_t d = 0; d < task.ndim; ++d) from += static_cast<uint64_t>(index[d] * task.strides[d]);
    if (!IsThere(from, device) || !IsThere(to, device)) {
      fakeIllegalAccess();
      return;
    }
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), static_cast<size_t>(task.item));
    for (int64_t d = task.ndim - 1; d >= 0 && ++index[d] == task.shape[d]; --d) index[d] = 0;
  }
}

void RunCount(const void* argument, int device) {
  const Count& task = *static_cast<const Count*>(argument);
  uint32_t others = 0;
  for (const int range : {0, 1}) {
    const uint64_t begin = task.begin[range], end = task.end[range];
    if (begin != end && (!IsThere(begin, device) || !IsThere(end - 1, device))) {
      fakeIllegalAccess();
      return;
    }
    for (uint64_t at = begin; at < end; ++at) others += *reinterpret_cast<const uint8_t*>(at) != task.pattern;
  }
  *reinterpret_cast<uint32_t*>(task.result) = others;
}

std::atomic_ref<uint32_t> Word(uint64_t address) {
  return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(address));
}

void RunHold(const void* argument, int device) {
  const Hold& task = *static_cast<const Hold*>(argument);
  if (!IsThere(task.opened, device) || !IsThere(task.passed, device)) {
    fakeIllegalAccess();
    return;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(task.longest);
  while (Word(task.opened) == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  Word(task.passed) = 1;
}

struct Kernel {
  std::string_view name;
  size_t argument;  // its size
  void (*run)(const void* argument, int device);
  std::atomic<int> launches{0};
};

Kernel g_kernels[] = {
    {"dlpack_cts_gather", sizeof(Gather), &RunGather},
    {"dlpack_cts_count", sizeof(Count), &RunCount},
    {"dlpack_cts_hold", sizeof(Hold), &RunHold},
};

Kernel* Find(std::string_view name) {
  const auto found =
      std::find_if(std::begin(g_kernels), std::end(g_kernels), [&](const Kernel& k) { return k.name == name; });
  return found == std::end(g_kernels) ? nullptr : found;
}

struct Launch {
  const Kernel* kernel;
  std::vector<uint64_t> argument;  // a copy, aligned for every kernel
  int device;
};

void Run(void* argument) {
  const std::unique_ptr<Launch> launch(static_cast<Launch*>(argument));
  launch->kernel->run(launch->argument.data(), launch->device);
}

}  // namespace

extern "C" {

/// Like the real driver, knows an image by its first word: that of a fatbin. FAKE_CUDA_KERNELS=0: the image was not
/// compiled for this device.
int cuModuleLoadData(void** module, const void* image) {
  constexpr uint32_t kFatbin = 0xBA55ED50;
  const char* const kernels = std::getenv("FAKE_CUDA_KERNELS");
  if (kernels != nullptr && std::string_view(kernels) == "0") return kNoBinary;
  *module = const_cast<void*>(image);
  return std::memcmp(image, &kFatbin, sizeof kFatbin) == 0 ? 0 : kInvalidImage;
}

int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = Find(name);
  return *function != nullptr ? 0 : kNotFound;
}

/// How often the kernel was launched in this process. The real driver has no such function.
int fakeLaunches(const char* name) { return Find(name)->launches; }

int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void* stream,
                   void** arguments, void**) {
  auto* const kernel = static_cast<Kernel*>(function);
  auto launch = std::make_unique<Launch>();
  launch->kernel = kernel;
  launch->argument.resize((kernel->argument + sizeof(uint64_t) - 1) / sizeof(uint64_t));
  std::memcpy(launch->argument.data(), arguments[0], kernel->argument);
  if (const int status = cuCtxGetDevice(&launch->device); status != 0) return status;
  const int status = cuLaunchHostFunc(stream, &Run, launch.get());
  if (status != 0) return status;
  launch.release();
  ++kernel->launches;
  return status;
}
}
