// engine/lanes.h: steps on several threads at once, and in other states of the thread and the interpreter.
//
// Between two barriers each lane is a thread; lane 0 is the engine's. One lane at a time runs a step: it holds the
// mutex `book_`, which protects the ledger, the slots and the scratch memory. It releases the mutex while it calls the
// library, so that calls overlap. No thread waits for the mutex while it holds the GIL, so a thread may wait for the
// GIL while it holds the mutex.
#ifndef DLPACK_CTS_ENGINE_LANES_H_
#define DLPACK_CTS_ENGINE_LANES_H_

#include <functional>
#include <mutex>

#include "engine/cuda_steps.h"
#include "engine/life_state.h"

namespace dlpack_cts {

/// Whether the engine runs this step in its context.
bool IsTaken(const Step& step);

class Lanes {
 public:
  Lanes(LifeState& life, CudaSteps& cuda) : life_(life), cuda_(cuda) {}

  /// The index after the steps from `first` up to the next barrier. `lanes`: they belong to more than one lane.
  int Segment(int first, bool* lanes) const;
  /// Runs these steps on one thread for each lane. `take` runs one step while the other lanes wait, except during calls
  /// that it makes with Call().
  void Take(int first, int behind, const std::function<void(int index)>& take);

  /// Calls the library in the context of the step, while other lanes run.
  template <typename Work>
  void Call(Subject& subject, const Step& step, const Work& work, bool attached = true) {
    if (!life_.lanes && step.context == Context::kUsual) return work();
    CallInContext(subject, step, work, attached);
  }
  /// Waits until no other lane is in a call with that slot.
  void Await(int slot);

 private:
  void TakeLane(int lane, int first, int behind, const std::function<void(int index)>& take);
  void CallInContext(Subject& subject, const Step& step, const std::function<void()>& work, bool attached);
  Survival CallIn(Subject& subject, const Step& step, const std::function<void()>& work, bool attached);
  void CallOnThread(Subject& subject, const Step& step, const std::function<void()>& work, bool attached);
  void Begin();
  void End() { book_.unlock(); }
  /// Waits until no other lane is in a call with anything that the step uses.
  void AwaitStep(const Step& step);
  /// Lets the other lanes run for a moment.
  void Yield();

  LifeState& life_;
  CudaSteps& cuda_;
  std::mutex book_;  // held by the lane that runs a step, except while it calls the library
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_LANES_H_
