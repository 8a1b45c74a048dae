// engine/releases.h: what a life still has to release, and how long to wait for it.
#ifndef DLPACK_CTS_ENGINE_RELEASES_H_
#define DLPACK_CTS_ENGINE_RELEASES_H_

#include "engine/life_state.h"

namespace dlpack_cts {

class Releases {
 public:
  explicit Releases(LifeState& life) : life_(life) {}

  /// Runs the step kCollect.
  void Collect(const Step& step);
  void CollectAll();
  /// Whether every tensor and array that was taken has been released.
  bool Settled() const;
  /// A library may release on its own thread, a moment later. If releases never come, later waits are skipped
  /// (effort.h).
  void AwaitLate();

 private:
  /// The life has dropped all that it held. What is not released now is released late, or never.
  bool HoldsNothing() const;
  /// Whether the tensor in this slot was handed out, and has not been released.
  bool IsTaken(int slot) const;
  bool OwesTensors() const;
  bool OwesArrays() const;

  LifeState& life_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_RELEASES_H_
