// worker/symptom.h: what is wrong with an exchange, as far as a plainer exchange has to show the same.
#ifndef DLPACK_CTS_WORKER_SYMPTOM_H_
#define DLPACK_CTS_WORKER_SYMPTOM_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/homes.h"
#include "harness/judge/reduce.h"
#include "harness/judge/whole.h"
#include "harness/ledger/evidence.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"
#include "results/cause.h"
#include "worker/trial.h"

namespace dlpack_cts::worker {

/// The first fact, in causal order, in which an exchange is wrong.
struct Symptom {
  Side side = Side::kImport;
  Family family = Family::kTold;
  /// Its pattern, the same for every slot; of an end in that step "death-read", "thrown-read", "hang-read".
  std::string fact;
  std::string key;                  // of that fact in this exchange; empty for an end
  uint32_t families = 0;            // bit per Family: all in which the exchange is wrong
  std::string message;              // of a case's judge
  std::string rule;                 // that a case's judge named; empty where the whole ledger was judged
  std::string observed = "breach";  // as in a Finding
  std::string degree = "rule";
  std::string wanted;
  std::string got;
  Evidence evidence;          // the three in words
  std::string_view refused;   // by the subject and by the reference: a word for what was; empty: nothing
  bool swept = false;         // no case's judge has seen it
  bool reinterprets = false;  // the memory is shared, and its bits are taken for those of another type of their number
  bool of_pair = false;       // that one library takes what the other one made is nothing peculiar

  bool Any() const { return families != 0; }
  void Joins(Family other) { families |= 1u << static_cast<uint32_t>(other); }

  bool Has(Family one) const { return (families >> static_cast<uint32_t>(one) & 1u) != 0; }

  /// True when the other one shows the same, and nothing that this one does not show.
  bool IsShownBy(const Symptom& other) const {
    return other.Any() && other.side == side && other.family == family && other.fact == fact && other.rule == rule &&
           other.message == message && (other.families & ~families) == 0;
  }
};

/// What the whole ledger shows beside the reference's: the first deviation, or the one in that fact (a pattern). None
/// where there is none.
Symptom SymptomOf(const std::vector<Deviation>& deviations, const Exchange& exchange, std::string_view fact = {});

/// True when what is wrong there makes nothing else wrong: an answer, a flag, a release. What is wrong beside it has a
/// reason of its own. Of a capsule that is none, or is called otherwise, nothing further is read.
bool StandsAlone(const Symptom& symptom);

/// Which role the library plays in that step.
Side SideOfStep(Op op, const Recipe& recipe);

/// The step in which the life of that ledger stopped; kEnd where it was in none.
Op StepAtEnd(const Recipe& recipe, const Ledger& ledger);

/// What a case's own judge says.
Symptom SymptomOf(const Example& example, const Recipe& recipe, const Ledger& subject);

enum class EndKind : uint8_t { kDied, kThrew, kHangs };

/// How a process ended: the first fact that was wrong before the step that it ended in; else the end itself. Its family
/// is that of what the step does with memory.
Symptom SymptomOfEnd(const Exchange& exchange, EndKind ended);

/// The end alone, whatever was wrong before it.
Symptom EndItself(const Exchange& exchange, EndKind ended);

/// A symptom that shows only behind earlier exchanges has no peculiarity of its own but that.
enum class Shows : uint8_t { kAlone, kBehindOthers };

/// As the driver is told. Case, mutant and count are the caller's. What no case's judge has seen, and no home claims,
/// is a note.
Finding FindingOf(const Symptom& symptom, const Reduced& reduced, Shows shows);

/// Of what was seen behind others: when it does not show again, and no exchange before it is the reason. Who heard of
/// it and the harness read what a race or a late thread left, so what was read accuses nobody; a fault or a release
/// that is wrong stays one, under the rule of its case.
Finding AtTimes(const Finding& seen);

/// True where it shows with no tensor that has dimensions.
bool NeedsScalars(const Finding& finding);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SYMPTOM_H_
