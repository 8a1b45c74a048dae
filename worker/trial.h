// worker/trial.h: runs one recipe for one case and reports the result.
#ifndef DLPACK_CTS_WORKER_TRIAL_H_
#define DLPACK_CTS_WORKER_TRIAL_H_

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/interface/engine.h"
#include "harness/case/case.h"
#include "harness/ledger/fact_table.h"
#include "worker/board.h"
#include "worker/peer.h"

namespace dlpack_cts::worker {

/// What one example showed. A more severe result has a smaller number.
enum class Showed : uint8_t {
  kEnded,     // an exception that ends programs (SystemExit): counts as a crash
  kUnsafe,    // a fault in memory that must not be accessed
  kLeak,      // the tensor was not released
  kBreach,    // the judge named a violated rule
  kUnjudged,  // the case did not judge: a bug in the harness
  kRefused,   // refused with an exception: inconclusive
  kNothing,   // the example was not conclusive
  kHeld,
};

struct Example {
  Showed showed = Showed::kHeld;
  Breach breach;                         // filled if a rule is violated
  std::string said;                      // the text of the refusal, or why the example was not conclusive
  std::optional<Breach> deviation = {};  // the first fact that differs from the reference
  bool stumbled = false;                 // the violation is an exception that looks like a bug

  /// True when it counts as the rule says, and not only as a WARN or NOTE.
  bool Grave() const {
    return showed <= Showed::kLeak || showed == Showed::kUnjudged ||
           (showed == Showed::kBreach && breach.degree == Degree::kRule);
  }
  bool Broken() const { return showed <= Showed::kUnjudged; }
  /// A NOTE hides no WARN, and a WARN no breach of the rule, whichever example comes first.
  int Weight() const { return !Broken() ? 0 : Grave() ? 3 : breach.degree == Degree::kWarn ? 2 : 1; }
  /// True when two examples show the same defect (a refusal: in the same words), so that one may be shrunk into the
  /// other.
  bool SameAs(const Example& other) const {
    return showed == other.showed && breach.rule == other.breach.rule && breach.message == other.breach.message &&
           said == other.said;
  }
};

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

/// Exit statuses by which a child reports a problem.
enum ChildExit : int { kMuteExit = 3, kScribbledExit = 4 };

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_TRIAL_H_
