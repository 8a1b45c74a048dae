// engine/acting_deleters.h: deleters that do more than count: the library is called again while it waits
// for one.
#ifndef DLPACK_CTS_ENGINE_ACTING_DELETERS_H_
#define DLPACK_CTS_ENGINE_ACTING_DELETERS_H_

#include <atomic>
#include <memory>

#include "engine/life_state.h"

namespace dlpack_cts {

class ActingDeleters {
 public:
  explicit ActingDeleters(LifeState& life) : life_(life) {}

  /// From now on deleters act, if the recipe has some that do.
  void Begin();
  /// Waits for deleters that have not come back, and for the thread that one met.
  void Await();
  /// Waits, and from now on deleters only count.
  void End();

 private:
  /// Runs inside the deleter of the slot's tensor.
  void Within(int slot);
  /// The library imports a tensor like that of the slot, in the same way, and drops what it made of it.
  void TakeAnother(int slot, int spare);

  LifeState& life_;
  bool acts_ = false;                   // some deleter calls the library
  std::unique_ptr<Ledger> aside_;       // of what is imported within a deleter, which happens once in a life
  Threads::Worker* meeting_ = nullptr;  // the thread that a deleter met
  std::atomic<bool> met_ = false;       // it is through
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_ACTING_DELETERS_H_
