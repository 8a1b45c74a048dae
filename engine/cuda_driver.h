// engine/cuda_driver.h: the CUDA driver of this machine: memory, devices, streams and stream captures.
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

#include "harness/ledger/record_export.h"

namespace dlpack_cts {

/// NULL, the legacy default stream and the per-thread default stream: reserved values, not handles.
constexpr bool IsNamedStream(uint64_t stream) { return stream <= 2; }

class CudaDriver {
 public:
  /// Opens and initialises the driver once per process. NULL without a driver or a device.
  static const CudaDriver* Open();
  /// Why Open() returned NULL, as a message, else "".
  static const std::string& WhyNone();
  /// The driver if Open() has succeeded before, or NULL. Opens nothing.
  static const CudaDriver* Opened();

  int devices() const { return devices_; }

  struct Memory {
    CudaMemory kind;
    int32_t device;  // -1 for memory that CUDA does not know
  };
  Memory Ask(uint64_t address) const;

  /// The current device of this thread, or -1.
  int Current() const;
  /// The device of a stream, or -1 if the driver does not know the handle. A handle that is not a stream may crash the
  /// process.
  int DeviceOf(uint64_t stream) const;

  /// Runs `work` while another device than `device` is current. kYes if that one is still current afterwards. With one
  /// device only, runs `work` as usual; kUnknown.
  Answer WithOtherDevice(int device, const std::function<void()>& work) const;
  /// Runs `work` while this thread captures a stream of the device, so that nothing may wait. kYes if the capture is
  /// intact afterwards. If no capture can begin, runs `work` as usual; kUnknown.
  Answer InCapture(int device, const std::function<void()>& work) const;
  /// Runs `work`, which must not use that stream of the current device. kYes if it did not; kUnknown if the driver
  /// cannot capture the stream.
  Answer LeavesAlone(uint64_t stream, const std::function<void()>& work) const;

  // ---- Memory and streams of the harness, on the current device. 0 means failure.

  uint64_t Allocate(size_t size) const;
  void Free(uint64_t memory) const;
  /// Pinned host memory. Asynchronous copies need it: a copy to other host memory waits for the stream.
  void* AllocateHost(size_t size) const;
  void FreeHost(void* memory) const;
  /// A stream that CUDA does not order with any other stream.
  uint64_t NewStream() const;
  void EndStream(uint64_t stream) const;

  /// From host or device to host or device. The first function returns when the copy is done; the second one queues it
  /// on a stream.
  bool Copy(uint64_t to, uint64_t from, size_t size) const;
  bool CopyOn(uint64_t stream, uint64_t to, uint64_t from, size_t size) const;
  /// Queues a call of a host function. It may wait, but must not call the driver.
  bool CallOn(uint64_t stream, void (*function)(void* argument), void* argument) const;
  /// Whether all work that is queued on the stream is done.
  bool IsDone(uint64_t stream) const;
  bool Wait(uint64_t stream) const;
  /// Loads compiled kernels into the current device's context, until the process ends. NULL means failure.
  void* LoadModule(const void* image) const;
  void* KernelOf(void* module, const char* name) const;
  /// Queues one block of threads of the kernel on a stream. The argument is copied.
  bool Launch(uint64_t stream, void* kernel, void* argument, unsigned threads) const;
  /// Waits for all work on the device, and returns the CUDA status: 0 without an error.
  int Synchronize() const;
  /// The driver has reported an error. After that CUDA does not work in this process.
  bool IsBroken() const { return broken_; }

  /// Makes the primary context of a device, which libraries share, current on this thread while it exists.
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
  /// Throws the Failure that WhyNone() says.
  void Load();
  /// Makes the device's primary context, which libraries share, current on this thread.
  bool MakeCurrent(int device) const;

  int devices_ = 0;
  mutable std::atomic<bool> broken_{false};
  using Module = void*;
  using Kernel = void*;
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
  Status (*load_)(Module* module, const void* image) = nullptr;
  Status (*find_kernel_)(Kernel* kernel, Module module, const char* name) = nullptr;
  Status (*launch_)(Kernel kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                    unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** arguments,
                    void** extra) = nullptr;
  Status (*synchronize_)() = nullptr;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_DRIVER_H_
