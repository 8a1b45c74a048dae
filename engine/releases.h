// engine/releases.h: what of a life has to be released yet, and how long it is waited for.
#ifndef DLPACK_CTS_ENGINE_RELEASES_H_
#define DLPACK_CTS_ENGINE_RELEASES_H_

#include "engine/life_state.h"

namespace dlpack_cts {

class Releases {
 public:
  explicit Releases(LifeState& life) : life_(life) {}

  /// The step kCollect.
  void Collect(const Step& step);
  void CollectAll();
  /// Nothing that was taken has to be released yet.
  bool Settled() const;
  /// A library may release on a thread of its own, a moment later. One that releases never is soon waited for no more.
  void AwaitLate();

 private:
  /// The life has dropped all that it had: what is not released now is released late, or never.
  bool HoldsNothing() const;
  bool OwesTensor(int slot, bool with_deleter) const;
  bool OwesTensors() const;
  bool OwesArrays() const;

  LifeState& life_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_RELEASES_H_
