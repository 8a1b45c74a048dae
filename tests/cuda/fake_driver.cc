// tests/cuda/fake_driver.cc: a libcuda.so.1 for machines without one: host memory that it calls a device's.
//
// It has as much of the driver as the harness and the library beside this file use. FAKE_CUDA_DEVICES is the number of
// devices, 2 where it is not set. A stream does its work at once; what would break a capture does so here.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kNoDevice = 100;
constexpr int kInvalidContext = 201;
constexpr int kInvalidHandle = 400;
constexpr int kCaptureInvalidated = 901;
constexpr int kMostDevices = 8;

enum MemoryType : unsigned { kHostMemory = 1, kDeviceMemory = 2 };

struct Context {
  int device;
};

struct Block {
  size_t size;
  MemoryType type;
  int device;
};

struct Stream {
  Context* context;
  int capture;  // 0 none, 1 active, 2 invalidated
};

Context g_contexts[kMostDevices];
thread_local Context* t_current = nullptr;
std::mutex g_mutex;
std::map<uint64_t, Block> g_blocks;
std::set<Stream*> g_streams;

int Devices() {
  const char* const text = std::getenv("FAKE_CUDA_DEVICES");
  const int devices = text == nullptr ? 2 : std::atoi(text);
  return devices < kMostDevices ? devices : kMostDevices;
}

bool IsDefault(const Stream* stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

/// What waits, allocates, or uses the legacy default stream does not get into a graph.
void BreakCaptures() {
  for (Stream* const stream : g_streams) {
    if (stream->capture == 1) stream->capture = 2;
  }
}

int Allocate(uint64_t* address, size_t size, MemoryType type) {
  if (t_current == nullptr) return kInvalidContext;
  const std::lock_guard lock(g_mutex);
  BreakCaptures();
  void* const memory = std::aligned_alloc(256, (size + 255) / 256 * 256);
  *address = reinterpret_cast<uint64_t>(memory);
  g_blocks[*address] = {size, type, t_current->device};
  return kSuccess;
}

/// The block that the address lies in, or NULL.
const Block* BlockOf(uint64_t address) {
  const auto behind = g_blocks.upper_bound(address);
  if (behind == g_blocks.begin()) return nullptr;
  const auto found = std::prev(behind);
  return address < found->first + found->second.size ? &found->second : nullptr;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return Devices() > 0 ? kSuccess : kNoDevice; }

int cuDeviceGetCount(int* count) {
  *count = Devices();
  return kSuccess;
}

int cuDeviceGetAttribute(int* value, int, int) {
  *value = 0;
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(Context** context, int device) {
  if (device < 0 || device >= Devices()) return kInvalidValue;
  *context = &g_contexts[device];
  (*context)->device = device;
  return kSuccess;
}

int cuCtxGetCurrent(Context** context) {
  *context = t_current;
  return kSuccess;
}

int cuCtxSetCurrent(Context* context) {
  t_current = context;
  return kSuccess;
}

int cuCtxGetDevice(int* device) {
  if (t_current == nullptr) return kInvalidContext;
  *device = t_current->device;
  return kSuccess;
}

int cuMemAlloc_v2(uint64_t* address, size_t size) { return Allocate(address, size, kDeviceMemory); }
int cuMemAllocHost_v2(uint64_t* address, size_t size) { return Allocate(address, size, kHostMemory); }

int cuMemFree_v2(uint64_t address) {
  const std::lock_guard lock(g_mutex);
  if (g_blocks.erase(address) == 0) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}

/// From and to anywhere: all of it is the host's.
int cuMemcpy(uint64_t to, uint64_t from, size_t size) {
  const std::lock_guard lock(g_mutex);
  BreakCaptures();
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size);
  return kSuccess;
}

int cuPointerGetAttribute(void* value, int attribute, uint64_t address) {
  const std::lock_guard lock(g_mutex);
  const Block* const block = BlockOf(address);
  if (block == nullptr) return kInvalidValue;
  if (attribute == 2) std::memcpy(value, &block->type, sizeof(unsigned));
  if (attribute == 8) std::memset(value, 0, sizeof(unsigned));
  if (attribute == 9) std::memcpy(value, &block->device, sizeof(int));
  return attribute == 2 || attribute == 8 || attribute == 9 ? kSuccess : kInvalidValue;
}

int cuStreamCreate(Stream** stream, unsigned) {
  if (t_current == nullptr) return kInvalidContext;
  const std::lock_guard lock(g_mutex);
  *stream = *g_streams.insert(new Stream{t_current, 0}).first;
  return kSuccess;
}

int cuStreamDestroy_v2(Stream* stream) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.erase(stream) == 0) return kInvalidHandle;
  delete stream;
  return kSuccess;
}

int cuStreamGetCtx(Stream* stream, Context** context) {
  const std::lock_guard lock(g_mutex);
  if (!IsDefault(stream) && g_streams.count(stream) == 0) return kInvalidHandle;
  *context = IsDefault(stream) ? t_current : stream->context;
  return kSuccess;
}

int cuStreamSynchronize(Stream* stream) {
  const std::lock_guard lock(g_mutex);
  if (!IsDefault(stream) && g_streams.count(stream) == 0) return kInvalidHandle;
  BreakCaptures();
  return kSuccess;
}

int cuStreamBeginCapture_v2(Stream* stream, int) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.count(stream) == 0) return kInvalidHandle;
  stream->capture = 1;
  return kSuccess;
}

int cuStreamIsCapturing(Stream* stream, int* status) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.count(stream) == 0) return kInvalidHandle;
  *status = stream->capture;
  return kSuccess;
}

int cuStreamEndCapture(Stream* stream, void** graph) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.count(stream) == 0) return kInvalidHandle;
  const int capture = stream->capture;
  stream->capture = 0;
  *graph = capture == 1 ? &g_contexts : nullptr;
  return capture == 1 ? kSuccess : kCaptureInvalidated;
}

int cuGraphDestroy(void*) { return kSuccess; }
}
