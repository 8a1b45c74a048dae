// engine/cuda_steps.h: what a CUDA driver says of a life, and steps beside work on a device.
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

  /// Calls the library in a context that a CUDA device makes.
  void Call(const Step& step, const std::function<void()>& work);
  /// The call that the step makes, which names a stream of the harness by its handle.
  const dlpack_cts::Call& CallOf(const Step& step);

  /// What the driver says of the exported memory, and of which device the streams are that the producer was named.
  void AskOfExport(int slot);
  void AskOfStreams(int slot);
  /// The stream on which the library works with the array, or -1 if it is unknown.
  static int64_t WorkStreamOf(const LifeState::Source& source);

  /// Puts the elements of the offer on its device, where it is to lie on one that is there.
  void PlaceOnDevice(int slot);
  /// The producer of that offer queues work on the stream that __dlpack__ gets: the elements are there after it.
  void QueueWorkInExport(int slot, Offered& offered);
  bool LiesOnDevice(int slot) const { return cuda_ != nullptr && cuda_->bytes[slot].size != 0; }
  /// Reads the array of an offer that lies on a device.
  void Fetch(const Step& step);
  /// Gives back what the life had on devices.
  void Leave();

 private:
  /// What the harness has on CUDA devices for the time of a life.
  struct OnCuda {
    int device = 0;
    uint64_t streams[kStreams] = {};
    uint8_t* pinned = nullptr;  // for what is copied while a stream is held
    uint64_t memory[kSlots] = {};
    DeviceBytes bytes[kSlots];             // of the offers' elements
    std::unique_ptr<PendingWork> pending;  // on the elements of slot `pending_in`, until they are read
    int pending_in = 0;
    dlpack_cts::Call call = {};
  };

  void ExportBesideWork(const Step& step, const std::function<void()>& work);
  void ExportOnHeldStream(const Step& step, const std::function<void()>& work);
  void DeleteBehindStream(const Step& step, const std::function<void()>& work);
  OnCuda& On(int device);
  uint64_t StreamOf(int number, int device);
  /// A piece of pinned memory, or NULL.
  uint8_t* Pinned(int piece, int device);
  /// The memory of the elements of the exported struct, or of the array that was made; empty if unknown.
  DeviceBytes BytesOfExport(const ExportLedger& record) const;
  DeviceBytes BytesOfSource(int source) const;
  /// Whether the exported tensor has the array's elements, where `from` holds these bytes.
  bool ShowsSource(const Step& step, DeviceBytes from, std::span<const uint8_t> bytes);
  void FetchOnce(int slot);
  void QueueWork(const Argument& stream);

  LifeState& life_;
  Elements& elements_;
  std::unique_ptr<OnCuda> cuda_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CUDA_STEPS_H_
