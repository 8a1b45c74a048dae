// engine/acting_deleters.h: deleters and producers that call the library, or wait for a thread that does.
#ifndef DLPACK_CTS_ENGINE_ACTING_DELETERS_H_
#define DLPACK_CTS_ENGINE_ACTING_DELETERS_H_

#include <condition_variable>
#include <memory>
#include <mutex>

#include "engine/life_state.h"

namespace dlpack_cts {

class ActingDeleters {
 public:
  explicit ActingDeleters(LifeState& life) : life_(life) {}

  /// From now on deleters act, if the recipe asks for that.
  void Begin();
  /// Called by __dlpack__ of the slot's producer: imports another such tensor, once in an exchange.
  /// Returns whether it tried, and the result says something.
  bool TakeInExport(int slot);
  /// Waits for running deleters, and for the thread that one of them started.
  void Await();
  /// Waits as Await() does. From now on deleters only count their calls.
  void End();

 private:
  /// Runs inside the deleter of the slot's tensor.
  void Within(int slot);
  /// Imports a tensor like that of `slot` into `spare`, in the same way, and drops the result.
  void TakeAnother(int slot, int spare);
  void DropAnother(int slot);
  /// The second tensor is imported by from_dlpack, which may refuse what from_exchange accepts.
  bool IsComparable(int slot) const;

  LifeState& life_;
  bool acts_ = false;                   // a deleter calls the library
  std::unique_ptr<Ledger> aside_;       // for the import inside a deleter; at most one in a life
  Threads::Worker* meeting_ = nullptr;  // the thread that a deleter waits for
  std::mutex meets_;
  std::condition_variable changed_;
  bool met_ = false;  // that thread has finished; guarded by meets_
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_ACTING_DELETERS_H_
