// runner/attribution.cc: which results another one speaks for.
#include "runner/attribution.h"

#include <algorithm>

#include "results/tally.h"
#include "runner/causes.h"

namespace dlpack_cts::runner {
namespace {

bool IsWhole(const std::vector<CaseInfo>& cases, const Result& result) {
  return std::any_of(cases.begin(), cases.end(),
                     [&](const CaseInfo& info) { return info.whole && info.id == result.seen.case_id; });
}

/// The last step: who tells what of a run.
class Attribution {
 public:
  Attribution(const std::vector<CaseInfo>& cases, std::vector<Cause>& causes, std::vector<Result>& results)
      : cases_(cases), causes_(causes), results_(results) {}

  void Run() {
    for (Cause& cause : causes_) Expect(cause);
    for (const Cause& cause : causes_) Raise(cause);
    for (Result& result : results_) LeaveOwn(result);
    for (Result& result : results_) Name(result);
    for (const Cause& cause : causes_) Blame(cause);
  }

 private:
  bool IsWhole(const Result& result) const { return runner::IsWhole(cases_, result); }

  static bool IsBehind(const Cause& cause, const Result& result) {
    return std::find(cause.cases.begin(), cause.cases.end(), result.seen.case_id) != cause.cases.end();
  }

  /// The case looks at what the cause breaks. A sweep looks at nothing in particular.
  bool SpeaksOf(const Result& result, const Cause& cause) const {
    return !IsWhole(result) && std::find(result.rules.begin(), result.rules.end(), cause.rule) != result.rules.end();
  }

  bool IsTold(const Cause& cause) const {
    return std::any_of(results_.begin(), results_.end(), [&](const Result& result) {
      return IsBehind(cause, result) && IsDeviation(result.verdict) && !IsWhole(result);
    });
  }

  /// A cause is expected where it is listed itself; or where every deviation behind it is listed, before any of them
  /// becomes BLOCKED. That another cause of the same results is listed says nothing of this one.
  void Expect(Cause& cause) {
    if (!cause.expectation.empty()) return;
    cause.as_expected = !IsDeviation(cause.verdict);
    if (cause.as_expected) return;
    bool any = false;
    for (const Result& result : results_) {
      if (!IsDeviation(result.verdict) || !IsBehind(cause, result)) continue;
      if (!result.as_expected) return;
      any = true;
      if (cause.expectation.empty()) cause.expectation = result.expectation;
    }
    cause.as_expected = any;
  }

  /// What the whole ledger of a case's own exchanges shows against the rule that the case looks at is its verdict too,
  /// whatever its own judge let pass. What no case tells is told by the sweep.
  void Raise(const Cause& cause) {
    if (!IsDeviation(cause.verdict)) return;
    for (Result& result : results_) {
      if (IsBehind(cause, result) && SpeaksOf(result, cause)) Take(cause, result);
    }
    if (IsTold(cause)) return;
    for (Result& result : results_) {
      if (IsBehind(cause, result) && IsWhole(result)) return Take(cause, result);
    }
  }

  static bool IsEnd(Verdict verdict) { return verdict == Verdict::kCrash || verdict == Verdict::kTimeout; }

  /// What the library does to itself, in no exchange, ended this case's process, and nothing else did.
  void LeaveOwn(Result& result) const {
    if (!result.cause.empty() || !IsEnd(result.verdict)) return;
    const Cause* own = nullptr;
    for (const Cause& cause : causes_) {
      if (!IsBehind(cause, result)) continue;
      if (IsEnd(cause.verdict)) return;
      if (cause.own && own == nullptr) own = &cause;
    }
    if (own == nullptr) return;
    result.cause = own->id;
    Block(*own, result);
    if (IsWhole(result)) result.verdict = Verdict::kNote;
  }

  static void Block(const Cause& cause, Result& result) {
    result.verdict = Verdict::kBlocked;
    result.breached.clear();
    result.as_expected = true;
    result.expectation.clear();
    result.seen.message = "blocked by the cause " + cause.id;
  }

  static std::string ObservedAs(Verdict verdict) {
    switch (verdict) {
      case Verdict::kCrash:
        return "crash";
      case Verdict::kTimeout:
        return "timeout";
      case Verdict::kLeak:
        return "leak";
      case Verdict::kUnsafe:
        return "unsafe";
      default:
        return "breach";
    }
  }

  static std::string DegreeOf(Verdict verdict) {
    if (verdict == Verdict::kNote) return "note";
    return verdict == Verdict::kWarn ? "warn" : "rule";
  }

  static void Take(const Cause& cause, Result& result) {
    if (WeightOf(result.verdict) < WeightOf(cause.verdict)) Tell(cause, result);
  }

  /// The result tells the cause, and nothing else.
  static void Tell(const Cause& cause, Result& result) {
    result.verdict = cause.verdict;
    result.as_expected = cause.as_expected;
    result.expectation = cause.expectation;
    result.cause = cause.id;
    result.seen.observed = ObservedAs(cause.verdict);
    result.seen.degree = DegreeOf(cause.verdict);
    result.seen.rule = cause.rule;
    result.seen.message = cause.message.empty() ? cause.fact + " is wrong" : cause.message;
    result.seen.fact = cause.key;
    result.seen.words = cause.words;
    result.seen.wanted = cause.wanted;
    result.seen.got = cause.got;
    if (result.seen.recipe == cause.recipe) return;
    // What was seen of the case's own example says nothing of this one.
    result.seen.recipe = cause.recipe;
    result.seen.ledger = nlohmann::json::array();
    result.seen.needed.clear();
  }

  /// Causes come worst first; one that the case looks at says more about it than another that it only met.
  const Cause* SaysMost(const Result& result, int least_weight) const {
    const Cause* named = nullptr;
    for (const Cause& cause : causes_) {
      if (!IsBehind(cause, result) || WeightOf(cause.verdict) < least_weight) continue;
      if (named == nullptr || (!SpeaksOf(result, *named) && SpeaksOf(result, cause))) named = &cause;
    }
    return named;
  }

  /// Another result tells the cause, whatever this one does: its case looks at the rule, or at no other cause of it.
  bool IsToldBeside(const Cause& cause, const Result& result) const {
    return std::any_of(results_.begin(), results_.end(), [&](const Result& other) {
      if (&other == &result || !IsBehind(cause, other) || WeightOf(other.verdict) < WeightOf(cause.verdict))
        return false;
      if (!other.cause.empty()) return other.cause == cause.id;
      return SaysMost(other, WeightOf(Verdict::kWarn)) == &cause;
    });
  }

  /// What a case looks at is lighter at times than what it met besides: then it tells the lighter one, with its
  /// verdict, and leaves the graver one to others.
  void Name(Result& result) const {
    if (!result.cause.empty() || (!IsDeviation(result.verdict) && result.verdict != Verdict::kNote)) return;
    const Cause* named = SaysMost(result, WeightOf(Verdict::kNote));
    if (named == nullptr) return;
    const Cause* const met = SaysMost(result, WeightOf(result.verdict));
    // What it failed for did not show again.
    if (met == nullptr && named->at_times) return Tell(*named, result);
    if (met != nullptr && WeightOf(named->verdict) < WeightOf(result.verdict)) {
      if (IsToldBeside(*met, result)) return Tell(*named, result);
      named = met;
    }
    result.cause = named->id;
    if (result.as_expected || !IsDeviation(named->verdict)) return;
    result.as_expected = named->as_expected;
    result.expectation = named->expectation;
  }

  /// The results that a cause is the worst one of. Those speak for it whose cases look at the rule that it breaks;
  /// where none does, the first of them speaks. All others are blocked by it.
  void Blame(const Cause& cause) {
    const auto is_met = [&](const Result& result) { return result.cause == cause.id && IsDeviation(result.verdict); };
    const auto speaks = [&](const Result& result) { return is_met(result) && SpeaksOf(result, cause); };
    const bool any = std::any_of(results_.begin(), results_.end(), speaks);
    const auto first = std::find_if(results_.begin(), results_.end(), is_met);
    for (auto result = results_.begin(); result != results_.end(); ++result) {
      if (!is_met(*result)) continue;
      if (any ? SpeaksOf(*result, cause) : result == first) {
        result->breached = {cause.rule};
        continue;
      }
      Block(cause, *result);
    }
  }

  const std::vector<CaseInfo>& cases_;
  std::vector<Cause>& causes_;
  std::vector<Result>& results_;
};

}  // namespace

void Attribute(const std::vector<CaseInfo>& cases, std::vector<Cause>& causes, std::vector<Result>& results) {
  Attribution(cases, causes, results).Run();
}

void LeaveDeathsToTheirCases(const std::vector<CaseInfo>& cases, std::vector<Result>& results) {
  for (Result& swept : results) {
    if (!IsDeviation(swept.verdict) || !IsWhole(cases, swept)) continue;
    const auto told = std::find_if(results.begin(), results.end(), [&](const Result& other) {
      return other.verdict == swept.verdict && other.seen.message == swept.seen.message && !IsWhole(cases, other);
    });
    if (told == results.end()) continue;
    swept.verdict = Verdict::kNote;
    swept.as_expected = true;
    swept.expectation.clear();
    swept.breached.clear();
    swept.seen.message += ", as in " + told->seen.case_id;
  }
}

}  // namespace dlpack_cts::runner
