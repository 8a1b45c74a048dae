// engine/cuda_order.h: checks stream order: pending work on a stream, and reads that must come after it.
//
// A stream is blocked (cuda_hold.h). After that, work is queued that restores the original bytes of a
// buffer; until then the buffer holds other bytes. A reader that sees the other bytes did not wait for the work. The
// result does not depend on a clock, so a slow machine cannot make ordered work look unordered. A blocked stream
// continues by itself after a while, so that a library that waits on the host does not hang.
//
// While a stream is blocked nothing is allocated or freed, because that may wait for the whole device. So the caller
// provides pinned memory of the same size for copies.
#ifndef DLPACK_CTS_ENGINE_CUDA_ORDER_H_
#define DLPACK_CTS_ENGINE_CUDA_ORDER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/cuda_driver.h"
#include "engine/cuda_hold.h"

namespace dlpack_cts {

/// Bytes in device memory. Its device is current wherever this is used.
struct DeviceBytes {
  uint64_t address = 0;
  size_t size = 0;
};

/// Blocks a stream: work that is queued later waits.
class Gate {
 public:
  /// It opens by itself after `longest`.
  Gate(const CudaDriver& driver, uint64_t stream, std::chrono::milliseconds longest);
  /// Opens it, and waits for the queued work.
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Whether the stream could be blocked.
  bool closed_at_first() const { return hold_ != nullptr; }
  bool IsClosed() const { return hold_ != nullptr && !hold_->IsOver(); }
  void Open();

 private:
  const CudaDriver& driver_;
  uint64_t stream_;
  std::unique_ptr<StreamHold> hold_;  // NULL if the driver refused all ways
};

/// A copy of bytes to host memory, queued on a stream. `to` is pinned memory of the same size.
class StreamCopy {
 public:
  StreamCopy(const CudaDriver& driver, DeviceBytes from, uint64_t stream, uint8_t* to);
  /// Waits for the copy.
  ~StreamCopy();
  StreamCopy(const StreamCopy&) = delete;
  StreamCopy& operator=(const StreamCopy&) = delete;

  /// Whether the copy has finished, or finishes within `patience`, while the gate is closed.
  bool ComesBefore(const Gate& gate, std::chrono::milliseconds patience) const;
  /// Waits for the copy. Empty if the driver refused it.
  std::span<const uint8_t> Bytes() const;

 private:
  const CudaDriver& driver_;
  DeviceBytes from_;
  uint64_t stream_;
  const uint8_t* copy_;
  bool queued_;
};

/// Pending work on a stream. Until it is done the bytes have other values. The destructor waits for it. `saved` is
/// pinned memory of the same size.
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
