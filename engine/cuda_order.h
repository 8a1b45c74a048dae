// engine/cuda_order.h: the oracle of stream order: work that is pending, and who comes before it.
//
// A stream is held by a function of the host that waits. Behind it lies work that gives memory back what it held
// before; meanwhile the memory holds other bytes. Who reads these came before the work: no clock decides, and a machine
// that is slow makes nothing look unordered. What is held goes on by itself after a while, for whoever waits on the
// host.
//
// While a stream is held nothing is allocated or freed, which may wait for the whole device: copies go to pinned memory
// of the caller's, of as many bytes.
#ifndef DLPACK_CTS_ENGINE_CUDA_ORDER_H_
#define DLPACK_CTS_ENGINE_CUDA_ORDER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/cuda_driver.h"

namespace dlpack_cts {

/// Bytes in the memory of a device, which is current wherever one of these is used.
struct DeviceBytes {
  uint64_t address = 0;
  size_t size = 0;
};

/// Holds a stream: what is queued there later waits.
class Gate {
 public:
  /// After `longest` it opens by itself.
  Gate(const CudaDriver& driver, uint64_t stream, std::chrono::milliseconds longest);
  /// Opens it, and waits for what it held.
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Whether the driver took it.
  bool closed_at_first() const { return closed_; }
  bool IsClosed() const;
  void Open();

 private:
  struct State;
  static void Hold(void* state);

  const CudaDriver& driver_;
  uint64_t stream_;
  std::shared_ptr<State> state_;
  bool closed_;
};

/// A copy of the bytes into memory of the host, queued on a stream.
class StreamCopy {
 public:
  StreamCopy(const CudaDriver& driver, DeviceBytes from, uint64_t stream, uint8_t* to);
  /// Waits for the copy.
  ~StreamCopy();
  StreamCopy(const StreamCopy&) = delete;
  StreamCopy& operator=(const StreamCopy&) = delete;

  /// The copy is there, or comes while the gate is closed, within `patience`.
  bool ComesBefore(const Gate& gate, std::chrono::milliseconds patience) const;
  /// Waits for the copy; empty where the driver did not make it.
  std::span<const uint8_t> Bytes() const;

 private:
  const CudaDriver& driver_;
  DeviceBytes from_;
  uint64_t stream_;
  const uint8_t* copy_;
  bool queued_;
};

/// Work that is pending on a stream: the bytes hold others until it is done, which it is when this is gone.
class PendingWork {
 public:
  PendingWork(const CudaDriver& driver, DeviceBytes bytes, uint64_t stream, uint8_t* saved,
              std::chrono::milliseconds longest);
  PendingWork(const PendingWork&) = delete;
  PendingWork& operator=(const PendingWork&) = delete;

  bool begun() const { return begun_; }
  const Gate& gate() const { return *gate_; }
  void End() { gate_.reset(); }

 private:
  std::unique_ptr<Gate> gate_;
  bool begun_ = false;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_ORDER_H_
