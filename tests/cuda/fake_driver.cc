// tests/cuda/fake_driver.cc: a libcuda.so.1 for machines without one; its device memory is host memory.
//
// It has the driver functions that the harness and device_library/ use. FAKE_CUDA_DEVICES is the number of devices
// (default 2). Each piece of work has its own thread, and waits for the earlier work of its stream. The legacy default
// stream and blocking streams wait for each other. It answers the questions of driver/questions.py as a real driver
// does (driver/answers.toml), also where that is a crash.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kNotInitialised = 3;
constexpr int kNoDevice = 100;
constexpr int kInvalidContext = 201;
constexpr int kInvalidHandle = 400;
constexpr int kNotReady = 600;
constexpr int kIllegalAddress = 700;
constexpr int kMisaligned = 716;
constexpr int kCaptureUnsupported = 900;
constexpr int kCaptureInvalidated = 901;
constexpr int kCaptureIsolation = 905;
constexpr int kCaptureImplicit = 906;
constexpr uintptr_t kFirstPages = 1 << 16;  // no object of the driver is there
constexpr int kMostDevices = 8;

enum MemoryType : unsigned { kHostMemory = 1, kDeviceMemory = 2, kManagedMemory = 3 };

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
  std::thread::id captured_by{};
  Work last{};
};

struct Event {
  Work recorded;
  bool in_capture = false;
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
pid_t g_user = 0;  // the process that used a device; its forked children cannot

int Devices() {
  const char* const text = std::getenv("FAKE_CUDA_DEVICES");
  const int devices = text == nullptr ? 2 : std::atoi(text);
  return devices < kMostDevices ? devices : kMostDevices;
}

bool IsDefault(const Stream* stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

/// The real driver dereferences any handle: the process ends for most, and some memory is only not a stream. A process
/// that survives the fault can go on: the lock is free.
void Dereference(const Stream* handle) {
  const bool ended = std::any_of(g_ended.begin(), g_ended.end(), [&](const auto& one) { return one.get() == handle; });
  if (ended || reinterpret_cast<uintptr_t>(handle) < kFirstPages || *reinterpret_cast<const uint64_t*>(handle) != 0) {
    g_mutex.unlock();
    std::raise(SIGSEGV);
  }
}

/// NULL if the handle is not a stream.
Stream* Find(Stream* handle) {
  if (reinterpret_cast<uintptr_t>(handle) <= 1) return &g_legacy;
  if (reinterpret_cast<uintptr_t>(handle) == 2) return &t_stream;
  if (g_streams.count(handle) != 0) return handle;
  Dereference(handle);
  return nullptr;
}

bool IsForked() { return g_user != 0 && g_user != getpid(); }

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

/// Invalidates the active captures of that kind, and returns the error for them; 0 if there are none.
template <typename Kind>
int BreakCaptures(int error, Kind is_meant) {
  int status = kSuccess;
  for (Stream* const stream : g_streams) {
    if (stream->capture != 1 || !is_meant(*stream)) continue;
    stream->capture = 2;
    status = error;
  }
  return status;
}

/// A call that may wait or allocate, which only a relaxed capture allows.
int Unsafe() {
  return BreakCaptures(kCaptureUnsupported, [](const Stream& stream) {
    return stream.mode == 0 || (stream.mode == 1 && stream.captured_by == std::this_thread::get_id());
  });
}

/// A use of that stream. The legacy default stream would make captured blocking streams wait.
int Implicit(const Stream* stream) {
  if (stream != &g_legacy) return kSuccess;
  return BreakCaptures(kCaptureImplicit, [](const Stream& other) { return other.blocking; });
}

/// A question to a stream, or a wait for it.
int Asked(Stream* stream) {
  if (const int status = Implicit(stream); status != kSuccess) return status;
  if (stream->capture == 1) {
    stream->capture = 2;
    return kCaptureUnsupported;
  }
  return Unsafe();
}

/// Queues the work on the stream, or in the graph that captures the stream.
int Queue(Stream* handle, std::function<void()> work, const Work& also = {}) {
  if (IsForked()) return kNotInitialised;
  if (t_current == nullptr && IsDefault(handle)) return kInvalidContext;
  const std::lock_guard lock(g_mutex);
  Stream* const stream = Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (stream->capture != 0) {
    ++stream->nodes;
    return kSuccess;
  }
  if (const int status = Implicit(stream); status != kSuccess) return status;
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
  if (IsForked()) return kNotInitialised;
  if (t_current == nullptr) return kInvalidContext;
  if (size == 0) return kInvalidValue;
  const std::lock_guard lock(g_mutex);
  if (const int status = Unsafe(); status != kSuccess) return status;
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

int cuInit(unsigned) {
  if (IsForked()) return kNotInitialised;
  return Devices() > 0 ? kSuccess : kNoDevice;
}

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
  if (IsForked()) return kNotInitialised;
  g_user = getpid();
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
int cuMemAllocManaged(uint64_t* address, size_t size, unsigned) { return Allocate(address, size, kManagedMemory); }
int cuMemAllocHost_v2(uint64_t* address, size_t size) { return Allocate(address, size, kHostMemory); }

/// Waits for the device, as the real cuMemFree may.
int cuMemFree_v2(uint64_t address) {
  {
    const std::lock_guard lock(g_mutex);
    if (const int status = Unsafe(); status != kSuccess) return status;
  }
  WaitForAll();
  const std::lock_guard lock(g_mutex);
  if (g_blocks.erase(address) == 0) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}

int cuMemFreeHost(void* memory) { return cuMemFree_v2(reinterpret_cast<uint64_t>(memory)); }

/// Copies between any addresses: all memory is host memory.
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t size, Stream* stream) {
  return Queue(stream, [=] { std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size); });
}

int cuMemcpy(uint64_t to, uint64_t from, size_t size) {
  const int status = cuMemcpyAsync(to, from, size, nullptr);
  std::vector<Work> before;
  {
    const std::lock_guard lock(g_mutex);
    const Block* const source = BlockOf(from);
    const Block* const target = BlockOf(to);
    const bool within_device =
        source != nullptr && target != nullptr && source->type == kDeviceMemory && target->type == kDeviceMemory;
    if (!within_device) before = Before(g_legacy);
  }
  WaitFor(before);
  return status != kSuccess ? status : g_status;
}

int cuLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument) {
  return Queue(stream, [=] { function(argument); });
}

int cuPointerGetAttribute(void* value, int attribute, uint64_t address) {
  const std::lock_guard lock(g_mutex);
  const Block* const block = BlockOf(address);
  if (block == nullptr) return kInvalidValue;
  // The driver reports managed memory as device memory.
  const unsigned type = block->type == kHostMemory ? kHostMemory : kDeviceMemory;
  const unsigned managed = block->type == kManagedMemory ? 1 : 0;
  if (attribute == 2) std::memcpy(value, &type, sizeof(type));
  if (attribute == 8) std::memcpy(value, &managed, sizeof(managed));
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
  if (g_streams.erase(stream) == 0) {
    Dereference(stream);
    return kInvalidHandle;
  }
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
    if (const int status = Asked(stream); status != kSuccess) return status;
    before = Before(*stream);
  }
  WaitFor(before);
  return g_status;
}

int cuStreamQuery(Stream* handle) {
  const std::lock_guard lock(g_mutex);
  Stream* const stream = Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (const int status = Asked(stream); status != kSuccess) return status;
  for (const Work& work : Before(*stream)) {
    if (!IsOver(work)) return kNotReady;
  }
  return g_status;
}

int cuCtxSynchronize() {
  {
    const std::lock_guard lock(g_mutex);
    const int status = BreakCaptures(kCaptureUnsupported, [](const Stream&) { return true; });
    if (status != kSuccess) return status;
  }
  WaitForAll();
  return g_status;
}

/// Simulates the error after a kernel access that is wider than its alignment. The real driver has no such function.
int fakeMisalignedAccess() {
  g_status = kMisaligned;
  return kSuccess;
}

/// Simulates the error after a kernel access to memory that is not there. fake_kernels.cc calls it.
int fakeIllegalAccess() {
  g_status = kIllegalAddress;
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
  if (const int status = Implicit(stream); status != kSuccess) return status;
  if (stream->capture != 0) ++stream->nodes;
  event->recorded = stream->last;
  event->in_capture = stream->capture != 0;
  return kSuccess;
}

int cuEventSynchronize(Event* event) {
  {
    const std::lock_guard lock(g_mutex);
    if (const int status = Unsafe(); status != kSuccess) return status;
  }
  if (event->recorded.valid()) event->recorded.wait();
  return g_status;
}

int cuEventQuery(Event* event) {
  const std::lock_guard lock(g_mutex);
  if (const int status = Unsafe(); status != kSuccess) return status;
  return event->recorded.valid() && !IsOver(event->recorded) ? kNotReady : g_status;
}

int cuStreamWaitEvent(Stream* handle, Event* event, unsigned) {
  {
    const std::lock_guard lock(g_mutex);
    Stream* const stream = Find(handle);
    if (stream != nullptr && stream->capture == 1 && !event->in_capture) {
      stream->capture = 2;
      return kCaptureIsolation;
    }
  }
  return Queue(handle, [] {}, event->recorded);
}

int cuStreamBeginCapture_v2(Stream* stream, int mode) {
  const std::lock_guard lock(g_mutex);
  if (g_streams.count(stream) == 0) return kInvalidHandle;
  stream->capture = 1;
  stream->mode = mode;
  stream->captured_by = std::this_thread::get_id();
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
