// runner/causes.cc: equal and less peculiar findings first, then what stands behind them.
#include "runner/causes.h"

#include <algorithm>
#include <initializer_list>
#include <map>
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

/// How a call ends, and what it answers, are facts that do not follow from each other.
bool IsAnswer(const std::string& family) {
  return family == "asks" || family == "outcome" || family == "exception" || family == "table" ||
         family == "device answer";
}

struct Key {
  std::string side;
  std::string family;
  std::vector<std::string> set;  // sorted
  std::string fact;              // where that tells findings without a peculiarity apart
  auto operator<=>(const Key&) const = default;
};

/// What shows only behind earlier exchanges is one thing, whatever fact it shows in: which one depends on what came
/// before.
bool NeedsOthers(const Finding& finding) {
  return finding.peculiarities == std::vector<std::string>{kEarlierExchanges};
}

std::string FactOf(const Finding& finding) { return finding.fact.empty() ? finding.rule : finding.fact; }

Key KeyOf(const Finding& finding) {
  if (NeedsOthers(finding)) return {"", "", finding.peculiarities, ""};
  Key key{finding.side, finding.family, finding.peculiarities, ""};
  std::sort(key.set.begin(), key.set.end());
  // Who takes legacy structs alone shows nothing without one.
  const bool plain = key.set.empty() || key.set == std::vector<std::string>{"legacy"};
  if (plain && IsAnswer(key.family)) key.fact = FactOf(finding);
  return key;
}

/// Nobody raises it on purpose, so the same words come from the same line of the library, whatever led there.
bool IsSameMistake(const Finding& a, const Finding& b) {
  return a.fact == "stumbled" && b.fact == a.fact && b.got == a.got;
}

/// Whether the first peculiarities are a part of the others, both sorted. What the table gives is as versioned as what
/// max_version asks for, and who takes its own arrays names a max_version itself: the one stands for the other.
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
  bool hostile = true;  // only robustness/ shows it
  bool own = false;     // no exchange is needed
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

  /// What no home claims in particular, and the judge of the same case names.
  bool IsJudged(const Finding& finding) const {
    return finding.swept && judged_.contains({finding.case_id, finding.rule});
  }

  Verdict VerdictOfFinding(const Finding& finding) const {
    if (finding.observed == "own") return Verdict::kNote;
    Observation seen;
    seen.case_id = finding.case_id;
    seen.observed = finding.observed;
    seen.degree = finding.degree;
    seen.rule = finding.rule;
    // What a sweep alone has seen accuses nobody, whatever it is; a death is told by the sweep's own case.
    const bool dies = finding.observed == "crash" || finding.observed == "timeout";
    if (finding.degree == "note" && !dies) {
      if (!IsJudged(finding)) return Verdict::kNote;
      seen.degree = "rule";
    }
    const Verdict verdict = VerdictOf(seen, rules_, array_api_);
    if (finding.observed != "breach" || finding.judged.empty()) return verdict;
    seen.rule = finding.judged;
    const Verdict judged = VerdictOf(seen, rules_, array_api_);
    return WeightOf(judged) < WeightOf(verdict) ? judged : verdict;
  }

  /// The gravest verdict; the rule that most cases and their homes name, and of those the first in the catalogue's
  /// order. How many findings a case has is a matter of what was drawn.
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
      group.own = group.own || finding->observed == "own";
      named[finding->rule].insert(finding->case_id);
      named[finding->home].insert(finding->case_id);
    }
    // What is not defined ends a process at times, and the control at others.
    if (group.own) group.verdict = Verdict::kNote;
    for (const Finding* finding : group.findings) {
      if (group.rule.empty() || named[finding->rule].size() > named[group.rule].size()) group.rule = finding->rule;
    }
  }

  static bool Has(const Group& group, const char* id) {
    return std::binary_search(group.key->set.begin(), group.key->set.end(), id);
  }

  /// Who leaves the name of a capsule as it was takes it again when it is given again, and its destructor releases what
  /// is released: what shows in that alone follows.
  static bool FollowsFromTheName(const Group& group, const Group& other) {
    if (other.key->family != "capsule" || FactOf(*other.findings.front()) != "importS.name_after") return false;
    const bool twice = group.key->family == "release" && FactOf(*group.findings.front()) == "importS.deleter.calls";
    return Has(group, "step-import-again") || (twice && !Has(group, kLostCapsule));
  }

  /// A library that takes what it exports itself.
  static bool FeedsItself(const Group& group) {
    return Has(group, "step-import-source") || Has(group, "beside-imports");
  }

  /// A deleter of the library's own forgives less than those of the harness: what one of its roles does wrong with
  /// capsules and structs, it dies of there.
  static bool FollowsFromItself(const Group& group, const Group& other) {
    const std::string& family = other.key->family;
    return FeedsItself(group) && !FeedsItself(other) && group.key->family == "release" &&
           (family == "capsule" || family == "writes" || family == "release");
  }

  /// Who writes where nobody asked for it is seen to write where no other write tells its elements apart; behind such a
  /// write they are wrong.
  static bool FollowsFromWrites(const Group& group, const Group& other) {
    const auto writes = [](const std::string& id) {
      return id.starts_with("step-write-") || id == "step-import-source";
    };
    return other.key->family == "writes" && group.key->family == "place" &&
           std::any_of(group.key->set.begin(), group.key->set.end(), writes);
  }

  /// Whose strides are wrong has elements elsewhere, also where strides are free or nobody compares them: in a copy, or
  /// in what the reference refuses.
  static bool FollowsFromTheStrides(const Group& group, const Group& other) {
    return other.key->family == "strides" && group.key->family == "place" && other.key->side == group.key->side;
  }

  /// Whose elements are elsewhere writes there, where it is asked to write one.
  static bool FollowsFromThePlace(const Group& group, const Group& other) {
    const bool sought = other.key->family == "strides" || other.key->family == "place";
    return sought && group.key->family == "writes" && other.key->side == group.key->side && Has(group, kWriteArray) &&
           !Has(other, kWriteArray);
  }

  /// Memory that is shared although a copy was asked for is rightly not flagged as one.
  static bool FollowsFromSharing(const Group& group, const Group& other) {
    constexpr char kCopy[] = "copy-true";
    const std::string fact = FactOf(*other.findings.front());
    const bool shares = fact == "exportS.points_at_source" || fact == "exportS.place";
    return shares && other.key->family == "place" && group.key->family == "flags" &&
           group.key->side == other.key->side && Has(group, kCopy) && Has(other, kCopy) &&
           (group.key->set == other.key->set || IsPart(group.key->set, other.key->set) ||
            IsPart(other.key->set, group.key->set));
  }

  /// Who takes a later major takes an earlier one, since nobody looks at it.
  static bool FollowsFromTheMajor(const Group& group, const Group& other) {
    if (other.key->family != group.key->family || other.key->side != group.key->side) return false;
    std::vector<std::string> set = group.key->set;
    std::replace(set.begin(), set.end(), std::string("major-0"), std::string("major-2"));
    return Has(group, "major-0") && Has(other, "major-2") && set == other.key->set;
  }

  /// Who refuses all that do not know max_version refuses them with what it raises then, whatever else is wrong with
  /// them.
  static bool FollowsFromTheKeyword(const Group& group, const Group& other) {
    constexpr char kUnknown[] = "max_version-unknown";
    return other.key->family == "outcome" && other.key->set == std::vector<std::string>{kUnknown} &&
           group.key->family == "exception" && Has(group, kUnknown);
  }

  /// Who gives a capsule no destructor keeps what is lost with it: an exchange in which nobody takes the tensor shows
  /// that, whatever it is about.
  static bool FollowsFromTheDestructor(const Group& group, const Group& other) {
    if (other.key->family != "capsule" || group.key->family != "release") return false;
    return FactOf(*other.findings.front()) == "exportS.has_destructor" && LosesCapsules(group);
  }

  /// What stays of a capsule that nobody consumed stays in every life that loses one, in so many words or not.
  static bool FollowsFromTheLostCapsule(const Group& group, const Group& other) {
    return other.key->family == "release" && group.key->family == "release" && Has(other, kLostCapsule) &&
           LosesCapsules(group);
  }

  /// Something is exported and nobody takes the tensor, or threads lose what they export. An import alone loses
  /// nothing.
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
    // A library that feeds itself shows what either of its roles does wrong.
    const bool fed = FeedsItself(group);
    const bool lost = FollowsFromTheLostCapsule(group, other);
    // What it exports again shows what is wrong with its imports, and with its exports.
    const bool again = Has(group, kReexport) && !Has(other, kReexport);
    if (other.key->side != group.key->side && !fed && !lost && !again) return false;
    if (WeightOf(group.verdict) > WeightOf(other.verdict) || (other.hostile && !group.hostile)) return false;
    const std::vector<std::string>& set = group.key->set;
    std::vector<std::string> less = other.key->set;
    if (lost) std::erase(less, kLostCapsule);
    // An array of its own is a view where its elements lie apart; an import has them as they come.
    if (again) std::erase(less, "view");
    // There it is the library that asks.
    if (itself) std::erase_if(less, [](const std::string& id) { return id.starts_with("max_version-"); });
    if (IsSameMistake(*group.findings.front(), *other.findings.front())) {
      return std::make_tuple(less.size(), less) < std::make_tuple(set.size(), set);
    }
    if (FollowsFromTheMajor(group, other)) return true;
    if (follows) return std::includes(set.begin(), set.end(), less.begin(), less.end());
    if (!IsPart(less, set)) return false;
    return lost || other.key->fact.empty() || other.key->fact == FactOf(*group.findings.front());
  }

  /// The one that needs least of those that it stands behind, and so on. Two that stand behind each other have the
  /// first of them.
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
    // Of equal examples that one is shown whose case looks at the rule.
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
  std::set<std::pair<std::string, std::string>> judged_;  // cases, and the rules that their judges name
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
