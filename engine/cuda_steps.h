// engine/cuda_steps.h: the steps of a life that use a CUDA device or query the CUDA driver.
#ifndef DLPACK_CTS_ENGINE_CUDA_STEPS_H_
#define DLPACK_CTS_ENGINE_CUDA_STEPS_H_

#include <functional>
#include <memory>
#include <span>

#include "engine/cuda_order.h"
#include "engine/elements.h"
#include "engine/life_state.h"

namespace dlpack_cts {

class CudaSteps {
 public:
  CudaSteps(LifeState& life, Elements& elements) : life_(life), elements_(elements) {}

  /// Calls the library in the CUDA context of the step.
  void Call(const Step& step, const std::function<void()>& work);
  /// The call of the step. A stream of the harness is replaced by its handle.
  const dlpack_cts::Call& CallOf(const Step& step);

  /// Records what the driver knows about the exported memory, and about the streams that the producer was given.
  void AskOfExport(int slot);
  void AskOfStreams(int slot);
  /// Reads the elements of the export with a kernel, on the stream of the step. kUnreadable: the kernel failed.
  void ReadByKernel(const Step& step);
  /// The handle of the stream on which the library works with the array, or -1 if it is unknown.
  static int64_t WorkStreamOf(const LifeState::Source& source);

  /// The producer of that offer queues work on the stream that __dlpack__ receives. The elements are valid after that
  /// work. If the library passes no stream, but works on one of its own, the work is on the legacy default stream.
  void QueueWorkInExport(int slot, Offered& offered);
  /// Reads the imported array of an offer on a device.
  void Fetch(const Step& step);
  /// Frees the streams of the life.
  void Leave();

 private:
  /// What the harness allocates on CUDA devices for one life.
  struct OnCuda {
    int device = 0;
    uint64_t streams[kStreams] = {};
    uint8_t* pinned = nullptr;             // for copies while a stream is blocked
    std::unique_ptr<PendingWork> pending;  // on the elements of slot `pending_in`, until they are read
    int pending_in = 0;
    int64_t callers_stream = -1;  // on which the library works with what it imports; -1: unknown
    dlpack_cts::Call call = {};
  };

  void ExportBesideWork(const Step& step, const std::function<void()>& work);
  void ExportOnHeldStream(const Step& step, const std::function<void()>& work);
  void DeleteBehindStream(const Step& step, const std::function<void()>& work);
  OnCuda& On(int device);
  uint64_t StreamOf(int number, int device);
  /// A piece of pinned memory, or NULL.
  uint8_t* Pinned(int piece, int device);
  /// The memory of the elements of the exported struct, or of the made array. Empty if unknown.
  DeviceBytes BytesOfExport(const ExportLedger& record) const;
  DeviceBytes BytesOfSource(int source) const;
  /// The memory of the elements of the slot's offer. Empty if it is not on a device.
  DeviceBytes BytesOfOffer(int slot) const;
  /// Whether the exported tensor has the array's elements, if its memory `from` holds `bytes`.
  bool ShowsSource(const Step& step, DeviceBytes from, std::span<const uint8_t> bytes);
  void FetchOnce(int slot);
  void QueueWork(const Argument& stream);
  /// The stream on which the library works with an array that it imported earlier, or -1 if it is unknown.
  int64_t CallersStream() const;

  LifeState& life_;
  Elements& elements_;
  std::unique_ptr<OnCuda> cuda_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_STEPS_H_
