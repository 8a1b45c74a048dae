// tests/cuda/fake_driver.cc: a libcuda.so.1 for machines without one; its device memory is host memory.
//
// It has the driver functions that the harness and device_library/ use. FAKE_CUDA_DEVICES is the number of devices
// (default 2). Each piece of work has its own thread, and waits for the earlier work of its stream. The legacy default
// stream and blocking streams wait for each other. Calls that invalidate a capture in the real driver do so here.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kNoDevice = 100;
constexpr int kInvalidContext = 201;
constexpr int kInvalidHandle = 400;
constexpr int kNotReady = 600;
constexpr int kMisaligned = 716;
constexpr int kCaptureUnsupported = 900;
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

using Work = std::shared_future<void>;

struct Stream {
  Context* context;
  int capture;  // 0 none, 1 active, 2 invalidated
  int mode = 0;
  size_t nodes = 0;  // captured so far
  bool blocking = true;
  Work last{};
};

struct Event {
  Work recorded;
};

Context g_contexts[kMostDevices];
thread_local Context* t_current = nullptr;
std::mutex g_mutex;
std::map<uint64_t, Block> g_blocks;
std::set<Stream*> g_streams;
std::vector<std::unique_ptr<Stream>> g_ended;  // cuStreamCreate reuses the latest handle first
Stream g_legacy{};
thread_local Stream t_stream{};  // the per-thread default stream
int g_status = kSuccess;

int Devices() {
  const char* const text = std::getenv("FAKE_CUDA_DEVICES");
  const int devices = text == nullptr ? 2 : std::atoi(text);
  return devices < kMostDevices ? devices : kMostDevices;
}

bool IsDefault(const Stream* stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

/// NULL if the handle is not a stream.
Stream* Find(Stream* handle) {
  if (reinterpret_cast<uintptr_t>(handle) <= 1) return &g_legacy;
  if (reinterpret_cast<uintptr_t>(handle) == 2) return &t_stream;
  return g_streams.count(handle) != 0 ? handle : nullptr;
}

/// The queued work that new work on the stream has to wait for.
std::vector<Work> Before(const Stream& stream) {
  std::vector<Work> before;
  const auto add = [&](const Stream& other) {
    if (other.last.valid()) before.push_back(other.last);
  };
  add(stream);
  if (&stream != &g_legacy) {
    if (stream.blocking) add(g_legacy);
    return before;
  }
  add(t_stream);
  for (const Stream* const other : g_streams) {
    if (other->blocking) add(*other);
  }
  return before;
}

void WaitFor(const std::vector<Work>& works) {
  for (const Work& work : works) work.wait();
}

bool IsOver(const Work& work) { return work.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

/// Invalidates active captures: waiting, allocating and the legacy default stream are not allowed in a capture.
void BreakCaptures() {
  for (Stream* const stream : g_streams) {
    if (stream->capture == 1 && stream->mode != 2) stream->capture = 2;
  }
}

/// Queues the work on the stream, or in the graph that captures the stream.
int Queue(Stream* handle, std::function<void()> work, const Work& also = {}) {
  const std::lock_guard lock(g_mutex);
  Stream* const stream = Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (stream->capture != 0) {
    ++stream->nodes;
    return kSuccess;
  }
  if (stream == &g_legacy) BreakCaptures();
  std::vector<Work> before = Before(*stream);
  if (also.valid()) before.push_back(also);
  stream->last = std::async(std::launch::async, [before = std::move(before), work = std::move(work)] {
                   WaitFor(before);
                   work();
                 }).share();
  return kSuccess;
}

void WaitForAll() {
  std::vector<Work> all;
  {
    const std::lock_guard lock(g_mutex);
    all = Before(g_legacy);
    for (const Stream* const stream : g_streams) {
      if (stream->last.valid()) all.push_back(stream->last);
    }
  }
  WaitFor(all);
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

/// Waits for the device, as the real cuMemFree may.
int cuMemFree_v2(uint64_t address) {
  WaitForAll();
  const std::lock_guard lock(g_mutex);
  if (g_blocks.erase(address) == 0) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}

int cuMemFreeHost(void* memory) { return cuMemFree_v2(reinterpret_cast<uint64_t>(memory)); }

int cuStreamSynchronize(Stream* stream);

/// Copies between any addresses: all memory is host memory.
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t size, Stream* stream) {
  return Queue(stream, [=] { std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size); });
}

int cuMemcpy(uint64_t to, uint64_t from, size_t size) {
  const int status = cuMemcpyAsync(to, from, size, nullptr);
  return status == kSuccess ? cuStreamSynchronize(nullptr) : status;
}

int cuLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument) {
  return Queue(stream, [=] { function(argument); });
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

int cuStreamCreate(Stream** stream, unsigned flags) {
  if (t_current == nullptr) return kInvalidContext;
  const std::lock_guard lock(g_mutex);
  std::unique_ptr<Stream> made;
  if (!g_ended.empty()) {
    made = std::move(g_ended.back());
    g_ended.pop_back();
  } else {
    made = std::make_unique<Stream>();
  }
  *made = Stream{.context = t_current, .capture = 0, .blocking = (flags & 1u) == 0};
  *stream = *g_streams.insert(made.release()).first;
  return kSuccess;
}

int cuStreamDestroy_v2(Stream* stream) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.erase(stream) == 0) return kInvalidHandle;
  g_ended.emplace_back(stream);
  return kSuccess;
}

int cuStreamGetCtx(Stream* stream, Context** context) {
  const std::lock_guard lock(g_mutex);
  if (Find(stream) == nullptr) return kInvalidHandle;
  *context = IsDefault(stream) ? t_current : stream->context;
  return kSuccess;
}

int cuStreamSynchronize(Stream* handle) {
  std::vector<Work> before;
  {
    const std::lock_guard lock(g_mutex);
    Stream* const stream = Find(handle);
    if (stream == nullptr) return kInvalidHandle;
    if (stream->capture != 0) {
      stream->capture = 2;
      return kCaptureUnsupported;
    }
    BreakCaptures();
    before = Before(*stream);
  }
  WaitFor(before);
  return g_status;
}

int cuStreamQuery(Stream* handle) {
  const std::lock_guard lock(g_mutex);
  Stream* const stream = Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  for (const Work& work : Before(*stream)) {
    if (!IsOver(work)) return kNotReady;
  }
  return g_status;
}

int cuCtxSynchronize() {
  {
    const std::lock_guard lock(g_mutex);
    BreakCaptures();
  }
  WaitForAll();
  return g_status;
}

/// Simulates the error after a kernel access that is wider than its alignment. The real driver has no such function.
int fakeMisalignedAccess() {
  g_status = kMisaligned;
  return kSuccess;
}

int cuEventCreate(Event** event, unsigned) {
  *event = new Event;
  return kSuccess;
}

int cuEventDestroy_v2(Event* event) {
  delete event;
  return kSuccess;
}

int cuEventRecord(Event* event, Stream* handle) {
  const std::lock_guard lock(g_mutex);
  Stream* const stream = Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (stream->capture != 0) ++stream->nodes;
  event->recorded = stream->last;
  return kSuccess;
}

int cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  return Queue(stream, [] {}, event->recorded);
}

int cuStreamBeginCapture_v2(Stream* stream, int mode) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.count(stream) == 0) return kInvalidHandle;
  stream->capture = 1;
  stream->mode = mode;
  stream->nodes = 0;
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
  *graph = capture == 1 ? stream : nullptr;
  return capture == 1 ? kSuccess : kCaptureInvalidated;
}

int cuGraphGetNodes(void* graph, void**, size_t* count) {
  *count = static_cast<Stream*>(graph)->nodes;
  return kSuccess;
}

int cuGraphDestroy(void*) { return kSuccess; }
}
