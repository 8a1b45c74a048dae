// worker/run/trial.h: runs one recipe for one case and reports the result.
#ifndef DLPACK_CTS_WORKER_RUN_TRIAL_H_
#define DLPACK_CTS_WORKER_RUN_TRIAL_H_

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/interface/engine.h"
#include "harness/case/case.h"
#include "harness/ledger/fact_table.h"
#include "worker/diagnose/example.h"
#include "worker/process/board.h"
#include "worker/run/peer.h"

namespace dlpack_cts::worker {

struct Symptom;  // symptom.h

class Trial {
 public:
  /// `peer` runs each exchange with the reference. All facts of the subject are compared with it.
  Trial(Engine& engine, Peer& peer, Board& board) : engine_(engine), peer_(peer), board_(board) {}

  /// Sets the case that runs from now on, here and in the crash record.
  void Begin(int case_index, const Case& tested);

  /// Whether threads of lives outlive them, as Engine::KeepThreads().
  void KeepThreads(bool kept);
  /// As Engine::Spend(), of the subject. The reference run always uses Effort::kToken.
  void Spend(Effort effort) { engine_.Spend(effort); }

  /// Runs the recipe (normalized) and has the case judge its ledger. Recipe and ledger stay in the crash
  /// record. Ends the process if the library overwrote the crash record, or if this is a copy that the library forked.
  Example Run(const Case& tested, const Recipe& recipe);

  /// As Run(), with a reference run: besides what the case judges, all facts are compared with the reference. Invalid
  /// input is judged by the case only.
  Example RunWhole(const Case& tested, const Recipe& recipe);

  /// As Run(), with a reference run for every case. Returns the first fact that differs from the reference. If none
  /// does: what the case's judge reports for the subject and not for the reference. `fact`, a pattern, restricts it to
  /// that fact.
  Symptom Examine(const Case& tested, const Recipe& recipe, std::string_view fact = {});

  /// Of the last Examine(): how the reference contradicts the oracle; then no library can be compared with it. Empty if
  /// it does not.
  std::string_view FaultOfReference() const;

  /// As Examine(), without the facts of that family.
  Symptom ExamineBeside(const Case& tested, const Recipe& recipe, Family family);

  /// What the case's judge reports for the subject and not for the reference. Facts that only differ from the reference
  /// and accesses to forbidden memory are ignored.
  Symptom ExamineOwn(const Case& tested, const Recipe& recipe);

  /// Of the last Run() and its example: false if the reference shows the same violation. Then the recipe no longer
  /// contains what the case is about, and would fail for every library.
  bool AccusesNoReference(const Case& tested, const Example& example);

  /// Of the last exchange: true if subject and reference both refuse, or neither does.
  bool EndsAsReference() const;

  /// Runs the recipe with the reference only, and returns its value of the fact.
  std::string FactOfReference(const Recipe& recipe, std::string_view fact);

  /// Of the last RunWhole(): the first fact that differs from the reference.
  std::optional<Breach> DeviationOf(const Case& tested);

  /// Of the last Run(), and of an example of that case: what the case's judge says.
  Symptom SymptomOfOwn(const Example& example) const;

  /// Of the last Examine() or ExamineOwn().
  const Example& seen() const { return seen_; }

  /// From now on it keeps the last recipes that it ran, for earlier().
  void RememberEarlier() { remembers_ = true; }

  /// The recipes that ran before the last one, the oldest first.
  const std::deque<Recipe>& earlier() const { return earlier_; }

  /// Of the last Run(): the recipe as it was run. The ledger is in the crash record.
  const Recipe& recipe() const { return recipe_; }

 private:
  void Exchange(const Recipe& recipe);
  [[noreturn]] void LeaveScribbled();
  Symptom JudgedAlone(const Case& tested);
  std::optional<Breach> BreachOfReference(const Case& tested) const;
  Example Judge(const Case& tested);
  Example JudgeWhole(const Case& tested);
  Example Refused(const Case& tested, const Refusal& refusal);

  Engine& engine_;
  Peer& peer_;
  Board& board_;
  BoardHead head_{};  // as it has to be
  Recipe recipe_{};
  Example seen_;
  bool remembers_ = false;
  std::deque<Recipe> earlier_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_TRIAL_H_
