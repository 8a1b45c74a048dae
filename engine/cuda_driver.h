// engine/cuda_driver.h: the CUDA driver of this machine: memory, devices, streams and captures.
//
// The driver is libcuda.so.1, loaded on first use. Its functions are declared here, so a CUDA toolkit is not needed. A
// process that has opened it cannot use CUDA in a forked child. So it is opened in processes that run cases, and never
// in the fork server.
#ifndef DLPACK_CTS_ENGINE_CUDA_DRIVER_H_
#define DLPACK_CTS_ENGINE_CUDA_DRIVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// NULL, the legacy default stream, the default stream of the thread: reserved values, not handles.
constexpr bool IsNamedStream(uint64_t stream) { return stream <= 2; }

class CudaDriver {
 public:
  /// Opens and initialises the driver, the first time in a process. NULL without a driver or a device.
  static const CudaDriver* Open();
  /// What is missing, as a message, or "".
  static const std::string& WhyNone();
  /// The one that was opened, or NULL. Opens nothing.
  static const CudaDriver* Opened();

  int devices() const { return devices_; }

  struct Memory {
    CudaMemory kind;
    int32_t device;  // -1 for memory that CUDA does not know
  };
  Memory Ask(uint64_t address) const;

  /// The device that is current on this thread, or -1.
  int Current() const;
  /// The device of the stream with that handle, or -1 if the driver does not know it. A handle that is not a stream may
  /// crash the process.
  int DeviceOf(uint64_t stream) const;

  /// Does the work with another device than that one current: whether it is current still. Unknown, and the work done
  /// as usual, where there is one device.
  Answer WithOtherDevice(int device, const std::function<void()>& work) const;
  /// Does the work while this thread captures a stream of that device, and may wait for nothing: whether the capture
  /// goes on. Unknown, and the work done as usual, where none can be begun.
  Answer InCapture(int device, const std::function<void()>& work) const;
  /// Does the work, which has no business with that stream of the current device: whether it leaves it alone. Unknown
  /// where the driver captures none.
  Answer LeavesAlone(uint64_t stream, const std::function<void()>& work) const;

  // ---- Memory and streams of the harness's own, on the device that is current. 0 is neither.

  uint64_t Allocate(size_t size) const;
  void Free(uint64_t memory) const;
  /// Pinned memory of the host, which copies on a stream need: of other memory a copy waits for the stream.
  void* AllocateHost(size_t size) const;
  void FreeHost(void* memory) const;
  /// A stream that CUDA itself orders with no other one.
  uint64_t NewStream() const;
  void EndStream(uint64_t stream) const;

  /// From anywhere to anywhere; when it is done the first one, on that stream some time later the second one.
  bool Copy(uint64_t to, uint64_t from, size_t size) const;
  bool CopyOn(uint64_t stream, uint64_t to, uint64_t from, size_t size) const;
  /// Queues a call of a function of the host, which may wait and must not call the driver.
  bool CallOn(uint64_t stream, void (*function)(void* argument), void* argument) const;
  /// All that is queued on the stream is done.
  bool IsDone(uint64_t stream) const;
  bool Wait(uint64_t stream) const;
  /// Waits for all that is queued on the device, and gives what the driver says of it: 0 where nothing is wrong.
  int Synchronize() const;
  /// It said that something is, once: from then on nothing works in this process, whoever asks.
  bool IsBroken() const { return broken_; }

  /// While one lives that device's primary context, which libraries share, is current on this thread.
  class OnDevice {
   public:
    OnDevice(const CudaDriver& driver, int device);
    ~OnDevice();
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

   private:
    const CudaDriver& driver_;
    void* before_ = nullptr;
  };

 private:
  using Status = int;
  using Device = int;
  using Context = void*;
  using Stream = void*;

  CudaDriver() = default;
  bool Load(std::string* why);
  /// Makes the device's primary context, which libraries share, current on this thread.
  bool MakeCurrent(int device) const;

  int devices_ = 0;
  mutable std::atomic<bool> broken_{false};
  Status (*init_)(unsigned flags) = nullptr;
  Status (*device_count_)(int* count) = nullptr;
  Status (*device_attribute_)(int* value, int attribute, Device device) = nullptr;
  Status (*pointer_attribute_)(void* value, int attribute, uint64_t address) = nullptr;
  Status (*retain_)(Context* context, Device device) = nullptr;
  Status (*get_current_)(Context* context) = nullptr;
  Status (*set_current_)(Context context) = nullptr;
  Status (*current_device_)(Device* device) = nullptr;
  Status (*stream_context_)(Stream stream, Context* context) = nullptr;
  Status (*new_stream_)(Stream* stream, unsigned flags) = nullptr;
  Status (*end_stream_)(Stream stream) = nullptr;
  Status (*begin_capture_)(Stream stream, int mode) = nullptr;
  Status (*is_capturing_)(Stream stream, int* status) = nullptr;
  Status (*end_capture_)(Stream stream, void** graph) = nullptr;
  Status (*end_graph_)(void* graph) = nullptr;
  Status (*graph_nodes_)(void* graph, void** nodes, size_t* count) = nullptr;
  Status (*allocate_)(uint64_t* memory, size_t size) = nullptr;
  Status (*free_)(uint64_t memory) = nullptr;
  Status (*allocate_host_)(void** memory, size_t size) = nullptr;
  Status (*free_host_)(void* memory) = nullptr;
  Status (*copy_)(uint64_t to, uint64_t from, size_t size) = nullptr;
  Status (*copy_on_)(uint64_t to, uint64_t from, size_t size, Stream stream) = nullptr;
  Status (*call_on_)(Stream stream, void (*function)(void*), void* argument) = nullptr;
  Status (*query_)(Stream stream) = nullptr;
  Status (*wait_)(Stream stream) = nullptr;
  Status (*synchronize_)() = nullptr;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_DRIVER_H_
