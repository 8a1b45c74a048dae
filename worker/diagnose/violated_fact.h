// worker/diagnose/violated_fact.h: the first violated fact of an exchange, which a simpler exchange must show too.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_VIOLATED_FACT_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_VIOLATED_FACT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/attribute/attribution.h"
#include "harness/compare/whole.h"
#include "harness/ledger/in_words.h"
#include "harness/ledger/ledger.h"
#include "harness/minimise/minimise.h"
#include "harness/recipe/recipe.h"
#include "results/cause.h"
#include "worker/diagnose/example.h"
#include "worker/process/ending.h"

namespace dlpack_cts::worker {

/// The first violated fact of an exchange, in causal order.
struct ViolatedFact {
  Side side = Side::kImport;
  Family family = Family::kReported;
  /// Its pattern, the same for every slot. For a crash, a C++ exception or a hang in a step: "death-read",
  /// "thrown-read", "hang-read".
  std::string fact;
  std::string key;        // the key of that fact in this exchange; empty for a crash or hang
  uint32_t families = 0;  // all families with a wrong fact, one bit each
  std::string message;    // the message of a case's judge
  std::string rule;       // the rule that a case's judge named; empty for a comparison with the reference
  Observed observed = Observed::kBreach;
  Degree degree = Degree::kRule;
  std::string wanted;
  std::string got;
  FactInWords in_words;           // fact, wanted and got as texts
  std::string_view refused;       // a word for what subject and reference both refused; empty: nothing
  bool swept = false;             // found by a sweep, not by a case's judge
  std::string_view decided = {};  // the rule that the values themselves decide; empty: the attributions decide
  bool of_pair = false;           // in a pair: the import of the other library's array is not a trigger

  bool Any() const { return families != 0; }
  void Joins(Family other) { families |= 1u << static_cast<uint32_t>(other); }

  bool Has(Family one) const { return (families >> static_cast<uint32_t>(one) & 1u) != 0; }

  /// Whether the other exchange shows the same fact, and only families that this one shows too. A wrong dtype has to be
  /// mistaken in the same way: bool as int8 and float16 as bfloat16 are two mistakes. So are two exceptions of
  /// different lines of the library. The case may judge the other exchange less severely: then it shows something that
  /// matters less.
  bool IsShownBy(const ViolatedFact& other) const {
    return other.Any() && other.degree <= degree && other.side == side && other.family == family &&
           other.fact == fact && other.rule == rule && other.message == message && (other.families & ~families) == 0 &&
           MistakesDtypeAs(other) && RaisesAs(other);
  }

  /// Whether both have no wrong dtype, or both become one dtype, or both codes are wrong by the same number. It is 0 if
  /// only bits or lanes are wrong.
  bool MistakesDtypeAs(const ViolatedFact& other) const;

  /// Whether not both are exceptions that look like a bug, or their texts differ by values only.
  bool RaisesAs(const ViolatedFact& other) const;
};

/// The first fact that differs from the reference, or the first one with that pattern. Empty if no fact differs.
ViolatedFact ViolatedFactOf(const std::vector<Deviation>& deviations, const Exchange& exchange,
                            std::string_view fact = {});

/// Whether the wrong fact cannot cause other wrong facts: a result, a flag, a release. Other wrong facts then have
/// another reason. A missing or misnamed capsule does cause others, because nothing is read from it.
bool StandsAlone(const ViolatedFact& violated);

/// The violation that the case's own judge reported.
ViolatedFact ViolatedFactOf(const Example& example, const Recipe& recipe, const Ledger& subject);

enum class EndKind : uint8_t { kDied, kThrew, kHangs };

/// The fact of a hang in that step.
std::string HangFact(Op op);

/// After a crash: the first fact that was wrong before the step of the crash, else the crash itself. The family of a
/// crash is that of the step's memory accesses.
ViolatedFact ViolatedFactOfEnd(const Exchange& exchange, EndKind ended);

/// The crash itself, whatever was wrong before it.
ViolatedFact EndItself(const Exchange& exchange, EndKind ended);

/// A failure that needs earlier exchanges has only them as its trigger.
enum class Shows : uint8_t { kAlone, kBehindOthers };

/// The finding for the driver, without case, mutant and count, which the caller sets. A finding of a sweep that no rule
/// covers is a note.
Finding FindingOf(const ViolatedFact& violated, const Minimised& reduced, Shows shows);

/// Whether the finding is about that fact.
bool IsOf(const Finding& found, const ViolatedFact& violated);

/// Gives the finding the case, mutant, count and rule of the other one.
void KeepOrigin(const Finding& from, Finding& finding);

/// The same finding for one library of a pair, which shows that violated fact with the reference.
Finding AccusedOf(const Finding& found, ViolatedFact violated, Side side, const Recipe& recipe);

/// The finding if it does not appear again, and no earlier exchange is the reason. A race or a late thread may have
/// changed what was read, so a wrong value is only a note. A fault or a wrong release keeps the rule of its case.
Finding AtTimes(const Finding& seen);

/// The properties whose default value it needs.
std::vector<const Property*> DefaultsOf(const Finding& finding);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_VIOLATED_FACT_H_
