// runner/attribution.cc: decides which results report a cause, and which are blocked by it.
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

/// The last step of a run: decides which result reports which cause.
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

  /// True if the case tests the rule that the cause violates. A sweep tests no rule in particular.
  bool SpeaksOf(const Result& result, const Cause& cause) const {
    return !IsWhole(result) && std::find(result.rules.begin(), result.rules.end(), cause.rule) != result.rules.end();
  }

  bool IsTold(const Cause& cause) const {
    return std::any_of(results_.begin(), results_.end(), [&](const Result& result) {
      return IsBehind(cause, result) && IsDeviation(result.verdict) && !IsWhole(result);
    });
  }

  /// A cause is expected if it is listed itself, or if every deviation that it explains is listed. This runs before any
  /// deviation becomes BLOCKED. A listed second cause of the same results does not count.
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

  /// A case takes over the verdict of a cause that violates its rule, even if the check of the case passed: the cause
  /// was found in all facts of the same exchanges. If no case reports the cause, the sweep reports it.
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

  /// The process of this case was ended by something that the library does without any exchange, and by nothing else.
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

  static Observed ObservedAs(Verdict verdict) {
    switch (verdict) {
      case Verdict::kCrash:
        return Observed::kCrash;
      case Verdict::kTimeout:
        return Observed::kTimeout;
      case Verdict::kLeak:
        return Observed::kLeak;
      case Verdict::kUnsafe:
        return Observed::kUnsafe;
      default:
        return Observed::kBreach;
    }
  }

  static Degree DegreeOf(Verdict verdict) {
    if (verdict == Verdict::kNote) return Degree::kNote;
    return verdict == Verdict::kWarn ? Degree::kWarn : Degree::kRule;
  }

  static void Take(const Cause& cause, Result& result) {
    if (WeightOf(result.verdict) < WeightOf(cause.verdict)) Tell(cause, result);
  }

  /// Makes the result report the cause.
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
    // The timeline belongs to the example of the case, not to the example of the cause.
    result.seen.recipe = cause.recipe;
    result.seen.ledger = nlohmann::json::array();
    result.seen.needed.clear();
  }

  /// Causes are sorted, the worst first. A cause that violates a rule of the case takes precedence over any other.
  const Cause* SaysMost(const Result& result, int least_weight) const {
    const Cause* named = nullptr;
    for (const Cause& cause : causes_) {
      if (!IsBehind(cause, result) || WeightOf(cause.verdict) < least_weight) continue;
      if (named == nullptr || (!SpeaksOf(result, *named) && SpeaksOf(result, cause))) named = &cause;
    }
    return named;
  }

  /// True if another result reports the cause, so that this result need not.
  bool IsToldBeside(const Cause& cause, const Result& result) const {
    return std::any_of(results_.begin(), results_.end(), [&](const Result& other) {
      if (&other == &result || !IsBehind(cause, other) || WeightOf(other.verdict) < WeightOf(cause.verdict))
        return false;
      if (!other.cause.empty()) return other.cause == cause.id;
      return SaysMost(other, WeightOf(Verdict::kWarn)) == &cause;
    });
  }

  /// The cause that violates the rule of a case may be less severe than another cause that the case met. Then the case
  /// reports the less severe one if another result reports the more severe one.
  void Name(Result& result) const {
    if (!result.cause.empty() || (!IsDeviation(result.verdict) && result.verdict != Verdict::kNote)) return;
    const Cause* named = SaysMost(result, WeightOf(Verdict::kNote));
    if (named == nullptr) return;
    const Cause* const met = SaysMost(result, WeightOf(result.verdict));
    // The deviation that the case failed for did not occur again.
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

  /// Of the results whose worst cause this is, those report it whose cases test the violated rule. If no case tests it,
  /// the first result reports it. All others are blocked by it.
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
