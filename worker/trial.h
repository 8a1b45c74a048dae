// worker/trial.h: runs one recipe for one case and says what came of it.
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

/// What one example showed. Graver ones have smaller numbers.
enum class Showed : uint8_t {
  kEnded,     // an exception that ends programs (SystemExit): as good as a death
  kUnsafe,    // a fault in memory that may not be touched
  kLeak,      // nobody released the tensor
  kBreach,    // the judge named a broken rule
  kUnjudged,  // the case forgot to judge: a fault of the harness
  kRefused,   // a polite refusal that says nothing
  kNothing,   // the example could not show anything
  kHeld,
};

struct Example {
  Showed showed = Showed::kHeld;
  Breach breach;                         // filled for what is broken
  std::string said;                      // the refusal's text, or why nothing could be shown
  std::optional<Breach> deviation = {};  // in which fact the whole ledger differs from the reference's
  bool stumbled = false;                 // the breach is an exception that nobody raises on purpose

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
  /// `peer` runs beside the subject, and shows what its whole ledger has to be.
  Trial(Engine& engine, Peer& peer, Board& board) : engine_(engine), peer_(peer), board_(board) {}

  /// Says which case runs from now on, here and on the board.
  void Begin(int case_index, const Case& tested);

  /// Whether threads of lives outlive them, as Engine::KeepThreads().
  void KeepThreads(bool kept);
  /// As Engine::Spend(), of the subject. The peer, of which all is known, spends as little as it can.
  void Spend(Effort effort) { engine_.Spend(effort); }

  /// Runs the recipe (normalized) and has the case judge its ledger. Recipe and ledger stay on the board. Ends the
  /// process when the library wrote over the board, or forked and this is the copy.
  Example Run(const Case& tested, const Recipe& recipe);

  /// As Run(), with the reference beside the subject; whatever the case's judge says, the whole ledger is judged too.
  /// Of what is hostile the judge alone decides.
  Example RunWhole(const Case& tested, const Recipe& recipe);

  /// As Run(), with the reference beside the subject whatever the case, and says what is wrong in the whole ledger; or,
  /// where nothing deviates, what the case's own judge says of the subject and not of the reference. With `fact`, a
  /// pattern, it is asked for the deviation in that fact alone.
  Symptom Examine(const Case& tested, const Recipe& recipe, std::string_view fact = {});

  /// Of the last Examine(): in what the reference contradicts what is known of the recipe, and nobody can be judged
  /// beside it; empty where it does not.
  std::string_view FaultOfReference() const;

  /// As Examine(), of what is wrong in other families than that one.
  Symptom ExamineBeside(const Case& tested, const Recipe& recipe, Family family);

  /// What the case's own judge says of the subject and not of the reference, whatever the whole ledger shows and
  /// whatever memory was touched.
  Symptom ExamineOwn(const Case& tested, const Recipe& recipe);

  /// Of the last Run() and its example: false where the reference shows the very same breach. Then the recipe has lost
  /// what the case is about, and accuses everybody.
  bool AccusesNoReference(const Case& tested, const Example& example);

  /// Of the last exchange that both took: true where both refuse, or neither does.
  bool EndsAsReference() const;

  /// Runs the recipe with the reference alone, and says what it shows.
  std::string FactOfReference(const Recipe& recipe, std::string_view fact);

  /// Of the last RunWhole(): the first fact in which the whole ledger deviates from the reference's.
  std::optional<Breach> DeviationOf(const Case& tested);

  /// Of the last Run(), and of an example of that case: what the case's judge says.
  Symptom SymptomOfOwn(const Example& example) const;

  /// Of the last Examine() or ExamineOwn().
  const Example& seen() const { return seen_; }

  /// From now on it keeps the last recipes that it ran, for earlier().
  void RememberEarlier() { remembers_ = true; }

  /// The recipes that ran before the last one, the oldest first.
  const std::deque<Recipe>& earlier() const { return earlier_; }

  /// Of the last Run(): the recipe as it was run. The ledger is the board's.
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

/// Exit statuses of a child that has something to say.
enum ChildExit : int { kMuteExit = 3, kScribbledExit = 4 };

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_TRIAL_H_
