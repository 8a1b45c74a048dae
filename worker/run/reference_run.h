// worker/run/reference_run.h: runs the reference, and compares all facts of the subject with it.
#ifndef DLPACK_CTS_WORKER_RUN_REFERENCE_RUN_H_
#define DLPACK_CTS_WORKER_RUN_REFERENCE_RUN_H_

#include <functional>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "harness/case/profile.h"
#include "harness/compare/whole.h"

namespace dlpack_cts::worker {

/// A correct library with its own memory and ledger. It runs each recipe before the subject does, so that the subject
/// cannot change the result.
class ReferenceRun {
 public:
  /// `subject` is the reference. Neither it nor the ledger is owned; the ledger is in the crash record.
  /// `accept_cuda` says whether it imports tensors that declare CUDA device 0, whose memory is host memory in its run.
  ReferenceRun(Subject& subject, Ledger& ledger, std::function<void(bool accepts)> accept_cuda)
      : engine_(subject), ledger_(ledger), accept_cuda_(std::move(accept_cuda)) {
    engine_.Spend(Effort::kToken);
    engine_.StandInForDevices();
  }

  /// Runs a normalised recipe.
  void Run(const Recipe& recipe);

  /// The differences of the subject in the exchange that Run() ran last. Valid until the next call.
  const std::vector<Deviation>& Compare(const Recipe& recipe, const Ledger& subject, const Profile& profile);

  /// Records the constant choices of the subject that the last exchange of Run() shows.
  void Learn(const Recipe& recipe, const Ledger& subject, Profile& profile) const;

  void KeepThreads(bool kept) { engine_.KeepThreads(kept); }

  const Ledger& ledger() const { return ledger_; }

 private:
  Engine engine_;
  Ledger& ledger_;
  std::function<void(bool accepts)> accept_cuda_;
  std::vector<Deviation> deviations_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_REFERENCE_RUN_H_
