// adapters/interface/life_run.h: one run of a recipe's life: the parts that take its steps, and their end.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_

#include "adapters/interface/acting_deleters.h"
#include "adapters/interface/steps.h"

namespace dlpack_cts {

class LifeRun {
 public:
  explicit LifeRun(LifeState& life) : life_(life) {}

  /// Takes every step of the life, then drops what is left.
  void Run();

 private:
  void TakeAll();
  /// Takes a step while no other lane does, but for calls that it makes with Lanes::Call().
  void TakeAlone(int index);
  /// Hands the step to the part that takes it.
  void Take(const Step& step);
  template <auto kPart, auto kFunction>
  static void Do(LifeRun& run, const Step& step);
  void DropEverything();
  void DropSlot(int slot);

  LifeState& life_;
  Elements elements_{life_};
  CudaSteps cuda_{life_, elements_};
  Lanes lanes_{life_, cuda_};
  Releases releases_{life_};
  ActingDeleters deleters_{life_};
  ExportSteps exports_{life_, elements_, cuda_, lanes_};
  ImportSteps imports_{life_, elements_, cuda_, lanes_, exports_};
  TableSteps tables_{life_, elements_, lanes_, exports_};
  LeakSteps leaks_{life_, elements_, exports_};
  RaceSteps races_{life_, elements_, releases_, exports_};
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_
