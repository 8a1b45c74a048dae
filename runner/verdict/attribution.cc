// runner/verdict/attribution.cc: decides which results report a cause, and which are blocked by it.
#include "runner/verdict/attribution.h"

#include <algorithm>
#include <iterator>

#include "results/tally.h"
#include "runner/verdict/masking.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

bool IsEnd(Verdict verdict) { return verdict == Verdict::kCrash || verdict == Verdict::kTimeout; }

bool Explains(const Cause& cause, const Result& result) {
  return std::find(cause.cases.begin(), cause.cases.end(), result.seen.case_id) != cause.cases.end();
}

Observed ObservedAs(Verdict verdict) {
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

Degree DegreeOf(Verdict verdict) {
  if (verdict == Verdict::kNote) return Degree::kNote;
  return verdict == Verdict::kWarn ? Degree::kWarn : Degree::kRule;
}

/// What is wrong, in a sentence that is true of the example of the cause.
std::string SentenceOf(const Cause& cause) {
  if (!cause.message.empty()) return cause.message;
  if (cause.words.meaning.empty()) return cause.fact + " is wrong";
  const auto value = [](const std::string& text) { return text.empty() ? std::string("nothing") : text; };
  if (cause.words.wanted.empty() && cause.words.got.empty()) return cause.words.meaning;
  return cause.words.meaning + ": expected " + value(cause.words.wanted) + ", got " + value(cause.words.got);
}

/// Replaces the observation of the case by that of the cause.
void Report(const Cause& cause, Observation& seen) {
  seen.observed = ObservedAs(cause.verdict);
  seen.degree = DegreeOf(cause.verdict);
  seen.rule = cause.rule;
  seen.message = SentenceOf(cause);
  seen.fact = cause.key;
  seen.words = cause.words;
  seen.wanted = cause.wanted;
  seen.got = cause.got;
  if (seen.recipe == cause.recipe) return;
  // The timeline belongs to the example of the case, not to the example of the cause.
  seen.recipe = cause.recipe;
  seen.ledger = nlohmann::json::array();
  seen.needed.clear();
}

class Attribution {
 public:
  Attribution(const Catalogue& catalogue, std::vector<Cause>& causes, std::vector<Result>& results)
      : catalogue_(catalogue), causes_(causes), results_(results) {}

  void Run() {
    for (Result& result : results_) LeaveEndToItsCase(result);
    for (Cause& cause : causes_) Expect(cause);
    for (const Cause& cause : causes_) Raise(cause);
    for (Result& result : results_) LeaveOwn(result);
    for (Result& result : results_) Name(result);
    DistributeAll();
  }

  void DistributeAll() {
    for (const Cause& cause : causes_) Distribute(cause);
  }

 private:
  bool IsSweep(const Result& result) const {
    const CaseInfo* const info = catalogue_.Find(result.seen.case_id);
    return info != nullptr && info->whole;
  }

  /// Changes a result and its verdict for this reason.
  void Decide(Result& result, Ground ground, const Cause& cause) const {
    result.verdict = VerdictOf(ground, IsSweep(result), result.verdict, cause.verdict);
    result.cause = cause.id;
    if (ground == Ground::kCause) {
      result.as_expected = cause.as_expected;
      result.expectation = cause.expectation;
      return Report(cause, result.seen);
    }
    result.as_expected = true;
    result.expectation.clear();
    result.breached.clear();
    if (ground != Ground::kSameEnd) result.seen.message = "blocked by the cause " + cause.id;
  }

  /// Whether the case tests the rule that the cause violates. A sweep tests no rule in particular.
  bool IsAbout(const Result& result, const Cause& cause) const {
    return !IsSweep(result) && std::find(result.rules.begin(), result.rules.end(), cause.rule) != result.rules.end();
  }

  /// The rule that the cause violates, and those of the case that state it in general: they are violated too.
  std::vector<std::string> BreachedBy(const Cause& cause, const Result& result) const {
    std::vector<std::string> breached = {cause.rule};
    std::copy_if(result.rules.begin(), result.rules.end(), std::back_inserter(breached),
                 [&](const std::string& rule) { return Restates(catalogue_.rules, rule, cause.rule); });
    return breached;
  }

  void LeaveEndToItsCase(Result& sweep) const {
    if (!IsDeviation(sweep.verdict) || !IsSweep(sweep)) return;
    const auto same = std::find_if(results_.begin(), results_.end(), [&](const Result& other) {
      return other.verdict == sweep.verdict && other.seen.message == sweep.seen.message && !IsSweep(other);
    });
    if (same == results_.end()) return;
    Decide(sweep, Ground::kSameEnd, {});
    sweep.seen.message += ", as in " + same->seen.case_id;
  }

  /// A cause is expected if it is listed itself, or if every deviation that it explains is listed. This runs before any
  /// deviation becomes BLOCKED. A listed second cause of the same results does not count.
  void Expect(Cause& cause) const {
    if (!cause.expectation.empty()) return;
    cause.as_expected = !IsDeviation(cause.verdict);
    if (cause.as_expected) return;
    bool any = false;
    for (const Result& result : results_) {
      if (!IsDeviation(result.verdict) || !Explains(cause, result)) continue;
      if (!result.as_expected) return;
      any = true;
      if (cause.expectation.empty()) cause.expectation = result.expectation;
    }
    cause.as_expected = any;
  }

  /// A case takes over the verdict of a graver cause that violates its rule, even if the check of the case passed: the
  /// cause was found in all facts of the same exchanges. If no case reports the cause, the sweep reports it.
  void Raise(const Cause& cause) {
    if (!IsDeviation(cause.verdict)) return;
    const auto raise = [&](Result& result) {
      if (WeightOf(result.verdict) < WeightOf(cause.verdict)) Decide(result, Ground::kCause, cause);
    };
    bool reported = false;
    for (Result& result : results_) {
      if (!Explains(cause, result) || IsSweep(result)) continue;
      if (IsAbout(result, cause)) raise(result);
      reported = reported || IsDeviation(result.verdict);
    }
    if (reported) return;
    const auto sweep = std::find_if(results_.begin(), results_.end(),
                                    [&](const Result& result) { return Explains(cause, result) && IsSweep(result); });
    if (sweep != results_.end()) raise(*sweep);
  }

  /// Whether something that the library does without any exchange, and nothing else, ended the process of this case.
  void LeaveOwn(Result& result) const {
    if (!result.cause.empty() || !IsEnd(result.verdict)) return;
    const Cause* own = nullptr;
    for (const Cause& cause : causes_) {
      if (!Explains(cause, result)) continue;
      if (IsEnd(cause.verdict)) return;
      if (cause.own && own == nullptr) own = &cause;
    }
    if (own != nullptr) Decide(result, Ground::kNoExchange, *own);
  }

  /// The worst cause of at least that weight that explains the result, or NULL. A cause that violates a rule of the
  /// case takes precedence over any other. The end of a process is explained by a cause that ends one, if there is one:
  /// the sentence of the result is about it.
  const Cause* CauseFor(const Result& result, int least_weight) const {
    const auto ends = [&](const Cause& cause) { return Explains(cause, result) && IsEnd(cause.verdict); };
    const bool ended = IsEnd(result.verdict) && std::any_of(causes_.begin(), causes_.end(), ends);
    const Cause* best = nullptr;
    for (const Cause& cause : causes_) {
      if (!Explains(cause, result) || WeightOf(cause.verdict) < least_weight) continue;
      if (ended && !IsEnd(cause.verdict)) continue;
      if (best == nullptr || (!IsAbout(result, *best) && IsAbout(result, cause))) best = &cause;
    }
    return best;
  }

  /// Whether another result reports the cause, so that this result need not.
  bool IsReportedElsewhere(const Cause& cause, const Result& result) const {
    return std::any_of(results_.begin(), results_.end(), [&](const Result& other) {
      if (&other == &result || !Explains(cause, other) || WeightOf(other.verdict) < WeightOf(cause.verdict))
        return false;
      if (!other.cause.empty()) return other.cause == cause.id;
      return CauseFor(other, WeightOf(Verdict::kWarn)) == &cause;
    });
  }

  /// The cause that violates the rule of a case may be less severe than another cause that the case met. Then the case
  /// reports the less severe one if another result reports the more severe one.
  void Name(Result& result) const {
    if (!result.cause.empty() || (!IsDeviation(result.verdict) && result.verdict != Verdict::kNote)) return;
    const Cause* named = CauseFor(result, WeightOf(Verdict::kNote));
    if (named == nullptr) return;
    const Cause* const met = CauseFor(result, WeightOf(result.verdict));
    // The deviation for which the case failed did not occur again.
    if (met == nullptr && named->at_times) return Decide(result, Ground::kCause, *named);
    if (met != nullptr && WeightOf(named->verdict) < WeightOf(result.verdict)) {
      if (IsReportedElsewhere(*met, result)) return Decide(result, Ground::kCause, *named);
      named = met;
    }
    result.cause = named->id;
    if (result.as_expected || !IsDeviation(named->verdict)) return;
    result.as_expected = named->as_expected;
    result.expectation = named->expectation;
  }

  /// If this is the worst cause of several results, those whose cases test the violated rule report it. If no case
  /// tests it, the first result reports it. All others are BLOCKED by it. So are notes that met a bug instead of an
  /// answer: the rule of such a case weighs less, and the case could not judge it.
  void Distribute(const Cause& cause) {
    std::vector<Result*> failed;
    std::vector<Result*> noted;
    for (Result& result : results_) {
      if (result.cause != cause.id) continue;
      if (IsDeviation(result.verdict)) failed.push_back(&result);
      if (result.verdict == Verdict::kNote && !IsSweep(result)) noted.push_back(&result);
    }
    const auto is_about = [&](const Result* result) { return IsAbout(*result, cause); };
    const bool any = std::any_of(failed.begin(), failed.end(), is_about);
    for (Result* const result : failed) {
      if (any ? is_about(result) : result == failed.front()) {
        result->breached = BreachedBy(cause, *result);
      } else {
        Decide(*result, Ground::kBlocked, cause);
      }
    }
    if (!IsDeviation(cause.verdict) || failed.empty() || cause.fact != kStumbled) return;
    for (Result* const result : noted) Decide(*result, Ground::kBlocked, cause);
  }

  const Catalogue& catalogue_;
  std::vector<Cause>& causes_;
  std::vector<Result>& results_;
};

}  // namespace

void Attribute(const Catalogue& catalogue, std::vector<Cause>& causes, std::vector<Result>& results) {
  Attribution(catalogue, causes, results).Run();
}

void Distribute(const Catalogue& catalogue, std::vector<Cause>& causes, std::vector<Result>& results) {
  Attribution(catalogue, causes, results).DistributeAll();
}

}  // namespace dlpack_cts::runner
