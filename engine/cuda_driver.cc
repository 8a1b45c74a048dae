// engine/cuda_driver.cc: opens libcuda.so.1 and calls it. Names and numbers are those of cuda.h.
#include "engine/cuda_driver.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>

#include <atomic>
#include <mutex>

#include "base/failure.h"

namespace dlpack_cts {
namespace {

constexpr char kLibrary[] = "libcuda.so.1";

constexpr int kInvalidValue = 1;  // CUDA_ERROR_INVALID_VALUE; also the result for memory that CUDA does not know
constexpr int kPageableMemoryAccess = 88;  // CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS
enum PointerAttribute { kMemoryType = 2, kIsManaged = 8, kDeviceOrdinal = 9 };
enum MemoryType { kHostMemory = 1 };
// kThreadLocal: calls of other threads do not break the capture. kRelaxed: nor do other calls of this thread.
enum CaptureMode { kThreadLocal = 1, kRelaxed = 2 };
enum CaptureStatus { kActive = 1 };
constexpr unsigned kNonBlocking = 1;     // CU_STREAM_NON_BLOCKING
constexpr uint64_t kDefaultStreams = 2;  // handles 0 to 2 name default streams
constexpr uint64_t kFirstPages = 1 << 16;

thread_local sigjmp_buf t_before_fault;

/// Runs `work`. False if it read memory that is not mapped; locks that it held then stay held.
template <typename Work>
bool SurvivesFault(const Work& work) {
  struct sigaction handler = {};
  struct sigaction before = {};
  handler.sa_handler = [](int) { siglongjmp(t_before_fault, 1); };
  handler.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &handler, &before);
  const bool survived = sigsetjmp(t_before_fault, 1) == 0;
  if (survived) work();
  sigaction(SIGSEGV, &before, nullptr);
  return survived;
}

struct Opening {
  std::once_flag once;
  std::string why;
  std::atomic<const CudaDriver*> driver{nullptr};
};

void* AsStream(uint64_t handle) { return reinterpret_cast<void*>(handle); }

Opening& TheOpening() {
  static Opening opening;
  return opening;
}

}  // namespace

const CudaDriver* CudaDriver::Open() {
  Opening& opening = TheOpening();
  std::call_once(opening.once, [&opening] {
    static CudaDriver driver;
    const std::optional<Failure> failure = FailureOf([] { driver.Load(); });
    if (!failure) opening.driver = &driver;
    if (failure) opening.why = failure->what();
  });
  return opening.driver;
}

const std::string& CudaDriver::WhyNone() {
  Open();
  return TheOpening().why;
}

const CudaDriver* CudaDriver::Opened() { return TheOpening().driver; }

void CudaDriver::Load() {
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Failure(std::string("this machine has no CUDA driver: ") + kLibrary + " cannot be loaded");
  }
  const auto find = [&](auto* function, const char* name) {
    *reinterpret_cast<void**>(function) = dlsym(library, name);
    if (*function == nullptr) throw Failure(std::string("the CUDA driver is too old: it has no ") + name);
  };
  find(&init_, "cuInit");
  find(&device_count_, "cuDeviceGetCount");
  find(&device_attribute_, "cuDeviceGetAttribute");
  find(&pointer_attribute_, "cuPointerGetAttribute");
  find(&retain_, "cuDevicePrimaryCtxRetain");
  find(&get_current_, "cuCtxGetCurrent");
  find(&set_current_, "cuCtxSetCurrent");
  find(&current_device_, "cuCtxGetDevice");
  find(&stream_context_, "cuStreamGetCtx");
  find(&new_stream_, "cuStreamCreate");
  find(&end_stream_, "cuStreamDestroy_v2");
  find(&begin_capture_, "cuStreamBeginCapture_v2");
  find(&is_capturing_, "cuStreamIsCapturing");
  find(&end_capture_, "cuStreamEndCapture");
  find(&end_graph_, "cuGraphDestroy");
  find(&graph_nodes_, "cuGraphGetNodes");
  find(&allocate_, "cuMemAlloc_v2");
  find(&free_, "cuMemFree_v2");
  find(&allocate_host_, "cuMemAllocHost_v2");
  find(&free_host_, "cuMemFreeHost");
  find(&copy_, "cuMemcpy");
  find(&copy_on_, "cuMemcpyAsync");
  find(&call_on_, "cuLaunchHostFunc");
  find(&query_, "cuStreamQuery");
  find(&wait_, "cuStreamSynchronize");
  find(&load_, "cuModuleLoadData");
  find(&find_kernel_, "cuModuleGetFunction");
  find(&launch_, "cuLaunchKernel");
  find(&synchronize_, "cuCtxSynchronize");
  if (const Status status = init_(0); status != 0) {
    throw Failure("the CUDA driver finds no device that it can use: cuInit returned " + std::to_string(status));
  }
  if (device_count_(&devices_) != 0 || devices_ <= 0) throw Failure("the CUDA driver finds no device");
}

CudaDriver::Memory CudaDriver::Ask(uint64_t address) const {
  unsigned type = 0;
  const Status status = pointer_attribute_(&type, kMemoryType, address);
  if (status != 0 && status != kInvalidValue) return {CudaMemory::kNotAsked, -1};
  if (status != 0) {
    int pageable = 0;
    for (Device device = 0; device < devices_ && pageable == 0; ++device) {
      if (device_attribute_(&pageable, kPageableMemoryAccess, device) != 0) pageable = 0;
    }
    return {pageable != 0 ? CudaMemory::kPageable : CudaMemory::kUnknown, -1};
  }
  unsigned managed = 0;
  int32_t device = -1;
  if (pointer_attribute_(&managed, kIsManaged, address) != 0) managed = 0;
  if (pointer_attribute_(&device, kDeviceOrdinal, address) != 0) device = -1;
  if (managed != 0) return {CudaMemory::kManaged, device};
  return {type == kHostMemory ? CudaMemory::kHost : CudaMemory::kDevice, device};
}

int CudaDriver::Current() const {
  Context context = nullptr;
  Device device = -1;
  if (get_current_(&context) != 0 || context == nullptr || current_device_(&device) != 0) return -1;
  return device;
}

bool CudaDriver::MakeCurrent(int device) const {
  Context context = nullptr;
  return retain_(&context, device) == 0 && set_current_(context) == 0;
}

int CudaDriver::DeviceOf(uint64_t stream) const {
  // The driver dereferences the handle, so it must point to mapped memory.
  if (stream > kDefaultStreams && stream < kFirstPages) return -1;
  Context mine = nullptr;
  Context its = nullptr;
  // The driver answers only if a context is current.
  if (get_current_(&mine) != 0 || (mine == nullptr && !MakeCurrent(0))) return -1;
  int device = -1;
  Status status = -1;
  const auto ask = [&] { status = stream_context_(AsStream(stream), &its); };
  if (!SurvivesFault(ask)) status = -1;
  if (status == 0 && set_current_(its) == 0) device = Current();
  set_current_(mine);
  return device;
}

Answer CudaDriver::WithOtherDevice(int device, const std::function<void()>& work) const {
  const int other = devices_ > 1 ? (device + 1) % devices_ : device;
  Context mine = nullptr;
  if (other == device || get_current_(&mine) != 0 || !MakeCurrent(other)) {
    work();
    return Answer::kUnknown;
  }
  work();
  const Answer kept = Current() == other ? Answer::kYes : Answer::kNo;
  set_current_(mine);
  return kept;
}

Answer CudaDriver::InCapture(int device, const std::function<void()>& work) const {
  Context mine = nullptr;
  Stream stream = nullptr;
  // The capturing stream is ordered with the legacy default stream, so that work on that stream breaks the capture too.
  const bool begun = get_current_(&mine) == 0 && MakeCurrent(device) && new_stream_(&stream, 0) == 0 &&
                     begin_capture_(stream, kThreadLocal) == 0;
  work();
  Answer kept = Answer::kUnknown;
  if (begun) {
    int status = 0;
    kept = is_capturing_(stream, &status) == 0 && status == kActive ? Answer::kYes : Answer::kNo;
    void* graph = nullptr;
    if (end_capture_(stream, &graph) == 0 && graph != nullptr) end_graph_(graph);
  }
  if (stream != nullptr) end_stream_(stream);
  set_current_(mine);
  return kept;
}

Answer CudaDriver::LeavesAlone(uint64_t stream, const std::function<void()>& work) const {
  const bool begun = begin_capture_(AsStream(stream), kRelaxed) == 0;
  work();
  if (!begun) return Answer::kUnknown;
  void* graph = nullptr;
  size_t nodes = 0;
  // Waiting for the stream breaks the capture. Work that is queued on the stream becomes part of the graph.
  const bool alone = end_capture_(AsStream(stream), &graph) == 0 && graph != nullptr &&
                     graph_nodes_(graph, nullptr, &nodes) == 0 && nodes == 0;
  if (graph != nullptr) end_graph_(graph);
  return alone ? Answer::kYes : Answer::kNo;
}

uint64_t CudaDriver::Allocate(size_t size) const {
  uint64_t memory = 0;
  return allocate_(&memory, size) == 0 ? memory : 0;
}

void CudaDriver::Free(uint64_t memory) const {
  if (memory != 0) free_(memory);
}

void* CudaDriver::AllocateHost(size_t size) const {
  void* memory = nullptr;
  return allocate_host_(&memory, size) == 0 ? memory : nullptr;
}

void CudaDriver::FreeHost(void* memory) const {
  if (memory != nullptr) free_host_(memory);
}

uint64_t CudaDriver::NewStream() const {
  Stream stream = nullptr;
  return new_stream_(&stream, kNonBlocking) == 0 ? reinterpret_cast<uint64_t>(stream) : 0;
}

void CudaDriver::EndStream(uint64_t stream) const {
  if (stream != 0) end_stream_(AsStream(stream));
}

bool CudaDriver::Copy(uint64_t to, uint64_t from, size_t size) const {
  return copy_(to, from, size) == 0 && Synchronize() == 0;
}

bool CudaDriver::CopyOn(uint64_t stream, uint64_t to, uint64_t from, size_t size) const {
  return copy_on_(to, from, size, AsStream(stream)) == 0;
}

bool CudaDriver::CallOn(uint64_t stream, void (*function)(void*), void* argument) const {
  return call_on_(AsStream(stream), function, argument) == 0;
}

bool CudaDriver::IsDone(uint64_t stream) const { return query_(AsStream(stream)) == 0; }
bool CudaDriver::Wait(uint64_t stream) const { return wait_(AsStream(stream)) == 0; }

void* CudaDriver::LoadModule(const void* image) const {
  Module module = nullptr;
  return load_(&module, image) == 0 ? module : nullptr;
}

void* CudaDriver::KernelOf(void* module, const char* name) const {
  Kernel kernel = nullptr;
  return find_kernel_(&kernel, module, name) == 0 ? kernel : nullptr;
}

bool CudaDriver::Launch(uint64_t stream, void* kernel, void* argument, unsigned threads) const {
  void* arguments[] = {argument};
  return launch_(kernel, 1, 1, 1, threads, 1, 1, 0, AsStream(stream), arguments, nullptr) == 0;
}

int CudaDriver::Synchronize() const {
  const Status status = synchronize_();
  if (status != 0) broken_ = true;
  return status;
}

CudaDriver::OnDevice::OnDevice(const CudaDriver& driver, int device) : driver_(driver) {
  driver.get_current_(&before_);
  driver.MakeCurrent(device);
}

CudaDriver::OnDevice::~OnDevice() { driver_.set_current_(before_); }

}  // namespace dlpack_cts
