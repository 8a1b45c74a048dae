// runner/causes.cc: groups equal findings, then finds the groups that explain other groups.
#include "runner/causes.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runner/verdict.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kLostCapsule[] = "step-lose-capsule";
constexpr char kReexport[] = "step-reexport";
constexpr char kWriteArray[] = "step-write-array";

/// Families of facts that are independent of each other: how a call ends, and what it answers.
bool IsAnswer(std::optional<Family> family) {
  return family == Family::kAsks || family == Family::kOutcome || family == Family::kException ||
         family == Family::kTable || family == Family::kDeviceAnswer;
}

struct Key {
  std::optional<Side> side;
  std::optional<Family> family;
  std::vector<std::string> set;  // sorted
  std::string fact;              // set if it distinguishes findings without triggers

  auto AsWords() const {
    const std::string_view side_word = side ? ToText(*side) : "";
    const std::string_view family_word = family ? ToText(*family) : "";
    return std::make_tuple(side_word, family_word, std::cref(set), std::cref(fact));
  }
  /// By the words: the order of causes of equal weight.
  bool operator<(const Key& other) const { return AsWords() < other.AsWords(); }
};

/// Findings that occur only after earlier exchanges form one group: the violated fact depends on these exchanges.
bool NeedsOthers(const Finding& finding) {
  return finding.peculiarities == std::vector<std::string>{kEarlierExchanges};
}

std::string FactOf(const Finding& finding) { return finding.fact.empty() ? finding.rule : finding.fact; }

Key KeyOf(const Finding& finding) {
  if (NeedsOthers(finding)) return {std::nullopt, std::nullopt, finding.peculiarities, ""};
  Key key{finding.side, finding.family, finding.peculiarities, ""};
  std::sort(key.set.begin(), key.set.end());
  // A consumer that only imports legacy structs shows nothing without "legacy".
  const bool plain = key.set.empty() || key.set == std::vector<std::string>{"legacy"};
  if (plain && IsAnswer(key.family)) key.fact = FactOf(finding);
  return key;
}

/// An unintended exception with the same text comes from the same line of the library.
bool IsSameMistake(const Finding& a, const Finding& b) {
  return a.fact == "stumbled" && b.fact == a.fact && b.got == a.got;
}

/// True if the first triggers are a proper subset of the others, both sorted. An exchange table always exports
/// versioned structs, and a library that imports its own arrays sets max_version itself, so max_version-1.3 is ignored
/// there.
bool IsPart(std::vector<std::string> less, const std::vector<std::string>& set) {
  const auto gives = [](const std::string& id) {
    return id == "step-table-export" || id == "step-table-allocate" || id == "step-import-source" ||
           id == "beside-imports";
  };
  if (std::any_of(set.begin(), set.end(), gives)) std::erase(less, "max_version-1.3");
  return less.size() < set.size() && std::includes(set.begin(), set.end(), less.begin(), less.end());
}

struct Group {
  const Key* key = nullptr;
  std::vector<const Finding*> findings = {};
  Verdict verdict = Verdict::kNote;
  bool hostile = true;  // only cases with invalid input show it
  bool own = false;     // it occurs without any exchange
  std::string rule = {};
  const Group* root = nullptr;
};

class Grouping {
 public:
  Grouping(const std::vector<CaseInfo>& cases, const Rules& rules, bool array_api)
      : cases_(cases), rules_(rules), array_api_(array_api) {}

  std::vector<Cause> Run(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) groups_[KeyOf(finding)].findings.push_back(&finding);
    for (const Finding& finding : findings) {
      if (!finding.swept && !finding.judged.empty()) judged_.insert({finding.case_id, finding.judged});
    }
    for (auto& [key, group] : groups_) {
      group.key = &key;
      Judge(group);
    }
    for (auto& [key, group] : groups_) group.root = RootOf(group);
    std::vector<Cause> causes;
    for (const auto& [key, group] : groups_) {
      if (group.root == &group) causes.push_back(CauseOf(group));
    }
    std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
      return std::make_tuple(-WeightOf(a.verdict), -static_cast<int64_t>(a.cases.size())) <
             std::make_tuple(-WeightOf(b.verdict), -static_cast<int64_t>(b.cases.size()));
    });
    return causes;
  }

 private:
  size_t PlaceOf(const std::string& id) const {
    const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const CaseInfo& info) { return info.id == id; });
    return static_cast<size_t>(found - cases_.begin());
  }

  /// True if the check of the same case reported the same rule.
  bool IsJudged(const Finding& finding) const {
    return finding.swept && judged_.contains({finding.case_id, finding.rule});
  }

  Verdict VerdictOfFinding(const Finding& finding) const {
    if (finding.observed == Observed::kOwn) return Verdict::kNote;
    Observation seen;
    seen.case_id = finding.case_id;
    seen.observed = finding.observed;
    seen.degree = finding.degree;
    seen.rule = finding.rule;
    // A difference that only a sweep saw is a NOTE. A crash or a timeout is reported by the sweep itself.
    const bool dies = finding.observed == Observed::kCrash || finding.observed == Observed::kTimeout;
    if (finding.degree == Degree::kNote && !dies) {
      if (!IsJudged(finding)) return Verdict::kNote;
      seen.degree = Degree::kRule;
    }
    const Verdict verdict = VerdictOf(seen, rules_, array_api_);
    if (finding.observed != Observed::kBreach || finding.judged.empty()) return verdict;
    seen.rule = finding.judged;
    const Verdict judged = VerdictOf(seen, rules_, array_api_);
    return WeightOf(judged) < WeightOf(verdict) ? judged : verdict;
  }

  /// Sets the most severe verdict, and the rule that most cases and attributions name; of several, the first in the
  /// order of the catalogue. It counts cases, not findings, because the number of findings depends on the random
  /// examples.
  void Judge(Group& group) const {
    std::sort(group.findings.begin(), group.findings.end(), [&](const Finding* a, const Finding* b) {
      return std::make_tuple(a->superseded, a->earlier.empty(), PlaceOf(a->case_id), a->recipe.dump()) <
             std::make_tuple(b->superseded, b->earlier.empty(), PlaceOf(b->case_id), b->recipe.dump());
    });
    std::map<std::string, std::set<std::string>> named;
    for (const Finding* finding : group.findings) {
      const size_t place = PlaceOf(finding->case_id);
      group.hostile = group.hostile && place < cases_.size() && cases_[place].hostile;
      const Verdict verdict = VerdictOfFinding(*finding);
      if (WeightOf(verdict) > WeightOf(group.verdict)) group.verdict = verdict;
      group.own = group.own || finding->observed == Observed::kOwn;
      named[finding->rule].insert(finding->case_id);
      named[finding->home].insert(finding->case_id);
    }
    // Undefined behaviour may crash either the exchange or the control run without an exchange.
    if (group.own) group.verdict = Verdict::kNote;
    for (const Finding* finding : group.findings) {
      if (group.rule.empty() || named[finding->rule].size() > named[group.rule].size()) group.rule = finding->rule;
    }
  }

  static bool Has(const Group& group, const char* id) {
    return std::binary_search(group.key->set.begin(), group.key->set.end(), id);
  }

  /// A consumer that does not rename a capsule also imports it a second time, and the capsule destructor then releases
  /// the tensor a second time. Failures in these two are explained by the missing rename.
  static bool FollowsFromTheName(const Group& group, const Group& other) {
    if (other.key->family != Family::kCapsule || FactOf(*other.findings.front()) != "importS.name_after") return false;
    const bool twice =
        group.key->family == Family::kRelease && FactOf(*group.findings.front()) == "importS.deleter.calls";
    return Has(group, "step-import-again") || (twice && !Has(group, kLostCapsule));
  }

  /// True if the library imports its own exports.
  static bool FeedsItself(const Group& group) {
    return Has(group, "step-import-source") || Has(group, "beside-imports");
  }

  /// The library's own deleters are less tolerant than those of the harness. If it imports its own exports, a wrong
  /// capsule or struct of either role can therefore crash it.
  static bool FollowsFromItself(const Group& group, const Group& other) {
    const std::optional<Family> family = other.key->family;
    return FeedsItself(group) && !FeedsItself(other) && group.key->family == Family::kRelease &&
           (family == Family::kCapsule || family == Family::kWrites || family == Family::kRelease);
  }

  /// A library that writes without being asked changes elements. Wrong elements after a requested write are explained
  /// by the unrequested write.
  static bool FollowsFromWrites(const Group& group, const Group& other) {
    const auto writes = [](const std::string& id) {
      return id.starts_with("step-write-") || id == "step-import-source";
    };
    return other.key->family == Family::kWrites && group.key->family == Family::kPlace &&
           std::any_of(group.key->set.begin(), group.key->set.end(), writes);
  }

  /// Wrong strides lead to wrong elements, also if the strides themselves are not compared: in a copy, or if the
  /// reference refuses the exchange.
  static bool FollowsFromTheStrides(const Group& group, const Group& other) {
    return other.key->family == Family::kStrides && group.key->family == Family::kPlace &&
           other.key->side == group.key->side;
  }

  /// A library that looks for the elements in the wrong place also writes in the wrong place.
  static bool FollowsFromThePlace(const Group& group, const Group& other) {
    const bool sought = other.key->family == Family::kStrides || other.key->family == Family::kPlace;
    return sought && group.key->family == Family::kWrites && other.key->side == group.key->side &&
           Has(group, kWriteArray) && !Has(other, kWriteArray);
  }

  /// Memory that is shared although a copy was requested is correctly not flagged as a copy.
  static bool FollowsFromSharing(const Group& group, const Group& other) {
    constexpr char kCopy[] = "copy-true";
    const std::string fact = FactOf(*other.findings.front());
    const bool shares = fact == "exportS.points_at_source" || fact == "exportS.place";
    return shares && other.key->family == Family::kPlace && group.key->family == Family::kFlags &&
           group.key->side == other.key->side && Has(group, kCopy) && Has(other, kCopy) &&
           (group.key->set == other.key->set || IsPart(group.key->set, other.key->set) ||
            IsPart(other.key->set, group.key->set));
  }

  /// A consumer that imports a later major version does not check the version, so it also imports an earlier one.
  static bool FollowsFromTheMajor(const Group& group, const Group& other) {
    if (other.key->family != group.key->family || other.key->side != group.key->side) return false;
    std::vector<std::string> set = group.key->set;
    std::replace(set.begin(), set.end(), std::string("major-0"), std::string("major-2"));
    return Has(group, "major-0") && Has(other, "major-2") && set == other.key->set;
  }

  /// A consumer that refuses every producer without max_version raises the same exception, whatever else is wrong with
  /// that producer.
  static bool FollowsFromTheKeyword(const Group& group, const Group& other) {
    constexpr char kUnknown[] = "max_version-unknown";
    return other.key->family == Family::kOutcome && other.key->set == std::vector<std::string>{kUnknown} &&
           group.key->family == Family::kException && Has(group, kUnknown);
  }

  /// If a capsule has no destructor, its tensor leaks when the capsule is lost. Every exchange without a consumer shows
  /// this, whatever its triggers.
  static bool FollowsFromTheDestructor(const Group& group, const Group& other) {
    if (other.key->family != Family::kCapsule || group.key->family != Family::kRelease) return false;
    return FactOf(*other.findings.front()) == "exportS.has_destructor" && LosesCapsules(group);
  }

  /// A leak of an unconsumed capsule occurs in every exchange that loses a capsule, with or without that step.
  static bool FollowsFromTheLostCapsule(const Group& group, const Group& other) {
    return other.key->family == Family::kRelease && group.key->family == Family::kRelease && Has(other, kLostCapsule) &&
           LosesCapsules(group);
  }

  /// True if an exported tensor is never taken over, or if threads lose their exports. An import alone loses nothing.
  static bool LosesCapsules(const Group& group) {
    const nlohmann::json life = group.findings.front()->recipe.value("life", nlohmann::json::array());
    const auto has = [&](std::initializer_list<const char*> operations) {
      return std::any_of(life.begin(), life.end(), [&](const nlohmann::json& step) {
        return std::find(operations.begin(), operations.end(), step.value("op", "")) != operations.end();
      });
    };
    if (has({"export-together"})) return true;
    return has({"export", "reexport", "export-often"}) && !has({"take-capsule"});
  }

  bool StandsBehind(const Group& group, const Group& other) const {
    if (&group == &other) return false;
    if (FollowsFromSharing(group, other)) return true;
    const bool itself = FollowsFromItself(group, other);
    const bool follows = itself || FollowsFromTheName(group, other) || FollowsFromWrites(group, other) ||
                         FollowsFromTheKeyword(group, other) || FollowsFromTheDestructor(group, other) ||
                         FollowsFromTheStrides(group, other) || FollowsFromThePlace(group, other);
    if (other.key->family != group.key->family && !follows) return false;
    // If the library imports its own exports, the failure may come from either role.
    const bool fed = FeedsItself(group);
    const bool lost = FollowsFromTheLostCapsule(group, other);
    // A re-export may fail because of its import or because of its export.
    const bool again = Has(group, kReexport) && !Has(other, kReexport);
    if (other.key->side != group.key->side && !fed && !lost && !again) return false;
    if (WeightOf(group.verdict) > WeightOf(other.verdict) || (other.hostile && !group.hostile)) return false;
    const std::vector<std::string>& set = group.key->set;
    std::vector<std::string> less = other.key->set;
    if (lost) std::erase(less, kLostCapsule);
    // Only an array that the library made is a view if it has gaps; an imported array has the layout of the tensor.
    if (again) std::erase(less, "view");
    // In such an exchange the library itself sets max_version.
    if (itself) std::erase_if(less, [](const std::string& id) { return id.starts_with("max_version-"); });
    if (IsSameMistake(*group.findings.front(), *other.findings.front())) {
      return std::make_tuple(less.size(), less) < std::make_tuple(set.size(), set);
    }
    if (FollowsFromTheMajor(group, other)) return true;
    if (follows) return std::includes(set.begin(), set.end(), less.begin(), less.end());
    if (!IsPart(less, set)) return false;
    return lost || other.key->fact.empty() || other.key->fact == FactOf(*group.findings.front());
  }

  /// Follows the chain of explanations; of several explaining groups, the one with the fewest triggers. If groups
  /// explain each other, the first one in order is the root.
  const Group* RootOf(const Group& group) const {
    std::vector<const Group*> way = {&group};
    for (;;) {
      const Group* root = nullptr;
      for (const auto& [key, other] : groups_) {
        if (!StandsBehind(*way.back(), other)) continue;
        if (root == nullptr || key.set.size() < root->key->set.size()) root = &other;
      }
      if (root == nullptr) return way.back();
      const auto met = std::find(way.begin(), way.end(), root);
      if (met != way.end())
        return *std::min_element(met, way.end(), [](auto* a, auto* b) { return *a->key < *b->key; });
      way.push_back(root);
    }
  }

  Cause CauseOf(const Group& root) const {
    // Of equal examples, the one is shown whose case tests the rule.
    const auto speaks = std::find_if(root.findings.begin(), root.findings.end(), [&](const Finding* finding) {
      const size_t place = PlaceOf(finding->case_id);
      if (finding->earlier.empty() != root.findings.front()->earlier.empty()) return false;
      return place < cases_.size() && std::count(cases_[place].rules.begin(), cases_[place].rules.end(), root.rule) > 0;
    });
    const Finding& example = speaks != root.findings.end() ? **speaks : *root.findings.front();
    Cause cause;
    cause.id = NeedsOthers(example) ? kEarlierExchanges : CauseId(example);
    if (!root.key->fact.empty()) cause.id += "/" + root.key->fact;
    cause.at_times = example.peculiarities == std::vector<std::string>{kAtTimes};
    if (!NeedsOthers(example) && !cause.at_times) {
      cause.side = example.side;
      cause.peculiarities = example.peculiarities;
    }
    cause.rule = root.rule;
    cause.verdict = root.verdict;
    cause.own = root.own;
    cause.case_id = example.case_id;
    cause.fact = example.fact;
    cause.key = example.key;
    cause.message = example.message;
    cause.wanted = example.wanted;
    cause.got = example.got;
    cause.words = example.words;
    cause.recipe = example.recipe;
    cause.earlier = example.earlier;
    for (const auto& [key, group] : groups_) {
      if (group.root != &root) continue;
      for (const Finding* finding : group.findings) {
        cause.count += finding->count;
        if (!finding->superseded) cause.cases.push_back(finding->case_id);
      }
    }
    std::sort(cause.cases.begin(), cause.cases.end(),
              [&](const std::string& a, const std::string& b) { return PlaceOf(a) < PlaceOf(b); });
    cause.cases.erase(std::unique(cause.cases.begin(), cause.cases.end()), cause.cases.end());
    return cause;
  }

  const std::vector<CaseInfo>& cases_;
  const Rules& rules_;
  const bool array_api_;
  std::map<Key, Group> groups_;
  std::set<std::pair<std::string, std::string>> judged_;  // cases, and the rules that their checks reported
};

}  // namespace

int WeightOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kLeak:
    case Verdict::kUnsafe:
    case Verdict::kFail:
      return 3;
    case Verdict::kWarn:
      return 2;
    case Verdict::kNote:
      return 1;
    default:
      return 0;
  }
}

std::vector<Cause> CausesOf(const std::vector<CaseInfo>& cases, const Rules& rules, bool array_api,
                            const std::vector<Finding>& findings) {
  return Grouping(cases, rules, array_api).Run(findings);
}

}  // namespace dlpack_cts::runner
