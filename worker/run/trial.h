// worker/run/trial.h: runs one recipe for one case, and returns the result.
#ifndef DLPACK_CTS_WORKER_RUN_TRIAL_H_
#define DLPACK_CTS_WORKER_RUN_TRIAL_H_

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "harness/case/case.h"
#include "worker/diagnose/examiner.h"
#include "worker/process/crash_record.h"
#include "worker/run/reference_run.h"

namespace dlpack_cts::worker {

struct ViolatedFact;  // violated_fact.h

/// Runs recipes for one case.
class Trial final : public Examiner {
 public:
  /// What the reference did with a recipe that a case judged.
  struct OfReference {
    bool shows_same;  // the case reports the same for the reference, so the recipe no longer contains what the case is
                      // about
    bool refused;     // it refused the exchange
  };

  /// Sets the case that runs from now on, also in the crash record. `reference_run` runs each exchange with the
  /// reference.
  Trial(Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record, int case_index, const Case& tested);

  /// Whether threads are kept for the next run, see Engine::KeepThreads().
  void KeepThreads(bool kept);
  /// Engine::Spend() for the subject. The reference run always uses Effort::kToken.
  void Spend(Effort effort) { engine_.Spend(effort); }

  /// Runs the recipe, which must be normalised, and has the case judge its ledger. Recipe and ledger stay in the crash
  /// record. Ends the process if the library overwrote the crash record, or if this is a child that the library forked.
  Example Run(const Recipe& recipe);

  /// Run() with a reference run: all facts are compared with the reference, in addition to the case's judge. For
  /// invalid input only the case judges.
  Example RunWhole(const Recipe& recipe);

  Examined Examine(const Recipe& recipe, const Focus& focus) override;

  /// Runs the recipe with the reference only.
  OfReference RunReference(const Recipe& recipe, const Example& example);

  /// Runs the recipe with the reference only, and returns its value of the fact.
  std::string FactOfReference(const Recipe& recipe, std::string_view fact);

  /// From now on it keeps the last recipes that it ran.
  void Remember() { remembers_ = true; }
  /// The last recipes that it ran, the oldest first.
  const std::deque<Recipe>& remembered() const { return remembered_; }

 private:
  void Exchange(const Recipe& recipe);
  [[noreturn]] void LeaveScribbled(const Recipe& recipe);
  Example JudgeNormal(const Recipe& recipe);
  Example Judge(const Recipe& recipe);
  Example JudgeWhole(const Recipe& recipe);
  bool Takes(const Recipe& other);
  Recipe ControlOf(const Recipe& recipe) const;
  bool IsRefusedAnyway(const Recipe& recipe, const Breach& breach);
  Example Refused(const Recipe& recipe, const Refusal& refusal);
  std::optional<Breach> DeviationOf(const Recipe& recipe);
  bool IsWhole() const { return tested_.examples == Examples::kWhole; }

  Engine& engine_;
  ReferenceRun& reference_run_;
  CrashRecord& crash_record_;
  const Case& tested_;
  CrashRecordHead head_{};  // the right contents of the head
  bool remembers_ = false;
  std::deque<Recipe> remembered_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_TRIAL_H_
