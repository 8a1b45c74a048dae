// runner/verdict/causes.cc: groups equal findings, then finds the groups that mask other groups.
#include "runner/verdict/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "runner/verdict/masking.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

/// Families of facts that are independent of each other: how a call ends, and what it returns.
bool IsAnswer(Family family) {
  return family == Family::kAsks || family == Family::kOutcome || family == Family::kException ||
         family == Family::kTable || family == Family::kDeviceAnswer;
}

/// Whether the violated fact depends on earlier exchanges. All such findings form one group.
bool NeedsOthers(const Finding& finding) { return finding.triggers == std::vector<std::string>{kEarlierExchanges}; }

FindingGroup GroupOf(const Finding& finding) {
  if (NeedsOthers(finding)) return {.triggers = finding.triggers};
  FindingGroup group{.side = finding.side, .family = finding.family, .triggers = finding.triggers};
  std::sort(group.triggers.begin(), group.triggers.end());
  group.fact = finding.fact.empty() ? finding.rule : finding.fact;
  // A consumer that imports only legacy structs has the trigger "legacy" in every finding.
  const bool no_trigger = group.triggers.empty() || group.triggers == std::vector<std::string>{"legacy"};
  group.one_fact = no_trigger && IsAnswer(finding.family);
  return group;
}

/// So many different exchanges must crash outside of their own calls before all crashes count as one cause.
constexpr size_t kWandering = 5;

/// Whether the process crashed where the exchange calls nothing of DLPack yet, or nothing any more.
bool CrashesOutside(const FindingGroup& group) { return group.fact == "death-make" || group.fact == "death-end"; }

/// The order of causes of equal weight and equal number of cases.
using Key = std::tuple<std::string, std::string, std::vector<std::string>, std::string>;

Key KeyOf(const FindingGroup& group) {
  return {std::string(group.side ? ToText(*group.side) : ""), std::string(group.family ? ToText(*group.family) : ""),
          group.triggers, group.one_fact ? group.fact : ""};
}

struct Node {
  FindingGroup group;
  std::vector<const Finding*> findings = {};  // the best example first
  std::string rule = {};
  bool own = false;            // it occurs without any exchange
  const Node* root = nullptr;  // the last group of the chain of masking
  size_t joined = 0;           // crashes of other exchanges that are the same damage
};

class Grouping {
 public:
  Grouping(const Catalogue& catalogue, bool claims_array_api)
      : catalogue_(catalogue), claims_array_api_(claims_array_api) {}

  std::vector<Cause> Run(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      FindingGroup group = GroupOf(finding);
      const Key key = KeyOf(group);
      nodes_.try_emplace(key, Node{.group = std::move(group)}).first->second.findings.push_back(&finding);
      if (!finding.swept && !finding.judged.empty()) checked_.insert({finding.case_id, finding.judged});
    }
    for (auto& [key, node] : nodes_) Complete(node);
    for (auto& [key, node] : nodes_) node.root = RootOf(node);
    JoinWanderingCrashes();
    for (auto& [key, node] : nodes_) SetRuleByMasking(node);
    std::vector<Cause> causes;
    for (const auto& [key, node] : nodes_) {
      if (node.root == &node) causes.push_back(CauseOf(node));
    }
    std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
      return std::make_tuple(WeightOf(a.verdict), a.cases.size()) >
             std::make_tuple(WeightOf(b.verdict), b.cases.size());
    });
    return causes;
  }

 private:
  /// Sets the most severe verdict, and the rule that most cases and attributions name; if several, the first in the
  /// order of the catalogue. Counts cases, not findings, because the number of findings depends on random examples.
  void Complete(Node& node) const {
    const auto rank = [&](const Finding& finding) {
      return std::make_tuple(finding.superseded, finding.earlier.empty(), catalogue_.PlaceOf(finding.case_id));
    };
    std::sort(node.findings.begin(), node.findings.end(), [&](const Finding* a, const Finding* b) {
      return rank(*a) != rank(*b) ? rank(*a) < rank(*b) : a->recipe.dump() < b->recipe.dump();
    });
    FindingGroup& group = node.group;
    const Finding& example = *node.findings.front();
    group.fact = example.fact.empty() ? example.rule : example.fact;
    group.got = example.got;
    group.loses_capsule = example.loses_capsule;
    group.invalid_input = true;
    std::map<std::string, std::set<std::string>> named;
    for (const Finding* finding : node.findings) {
      const CaseInfo* const info = catalogue_.Find(finding->case_id);
      group.invalid_input = group.invalid_input && info != nullptr && info->hostile;
      const bool checked = finding->swept && IsChecked(*finding);
      const Verdict verdict = VerdictOf(*finding, checked, catalogue_.rules, claims_array_api_);
      if (WeightOf(verdict) > WeightOf(group.verdict)) group.verdict = verdict;
      node.own = node.own || finding->observed == Observed::kOwn;
      named[finding->rule].insert(finding->case_id);
      named[finding->attributed].insert(finding->case_id);
    }
    // Undefined behaviour may crash either the exchange or the control run without an exchange.
    if (node.own) group.verdict = Verdict::kNote;
    for (const Finding* finding : node.findings) {
      if (node.rule.empty() || named[finding->rule].size() > named[node.rule].size()) node.rule = finding->rule;
    }
    if (group.invalid_input) KeepToTested(node);
  }

  /// Whether the check of the case reported the rule of the finding, or one that says the same.
  bool IsChecked(const Finding& finding) const {
    return std::any_of(checked_.begin(), checked_.end(), [&](const auto& one) {
      return one.first == finding.case_id && SaysTheSame(catalogue_.rules, one.second, finding.rule);
    });
  }

  /// Invalid input breaks other rules than the valid input that it resembles: those that the cases with it test.
  void KeepToTested(Node& node) const {
    const std::vector<std::string>& first = catalogue_.Find(node.findings.front()->case_id)->rules;
    const bool tested = std::any_of(node.findings.begin(), node.findings.end(), [&](const Finding* finding) {
      const std::vector<std::string>& rules = catalogue_.Find(finding->case_id)->rules;
      return std::find(rules.begin(), rules.end(), node.rule) != rules.end();
    });
    if (!tested && !first.empty()) node.rule = first.front();
  }

  /// Follows the chain of masking. If several groups mask this one, takes the one with the fewest triggers. If groups
  /// mask each other, the first one in order is the root.
  const Node* RootOf(const Node& node) const {
    std::vector<const Node*> chain = {&node};
    for (;;) {
      const Node* mask = nullptr;
      for (const auto& [key, other] : nodes_) {
        if (&other == chain.back() || !Masks(other.group, chain.back()->group)) continue;
        if (mask == nullptr || other.group.triggers.size() < mask->group.triggers.size()) mask = &other;
      }
      if (mask == nullptr) return chain.back();
      const auto met = std::find(chain.begin(), chain.end(), mask);
      if (met != chain.end()) {
        return *std::min_element(met, chain.end(), [](auto* a, auto* b) { return KeyOf(a->group) < KeyOf(b->group); });
      }
      chain.push_back(mask);
    }
  }

  /// Damaged memory crashes a process in any later step. Minimising such an example ends at chance, so one defect has
  /// many causes. They become one: the simplest exchange, with the rule of most releases that crash.
  void JoinWanderingCrashes() {
    std::vector<Node*> crashes;
    for (auto& [key, node] : nodes_) {
      if (node.root == &node && !node.own && node.group.fact.starts_with("death-")) crashes.push_back(&node);
    }
    const auto outside = std::ranges::count_if(crashes, [](const Node* node) { return CrashesOutside(node->group); });
    if (static_cast<size_t>(outside) < kWandering) return;
    // A crash in a release is the nearest to the damage.
    const auto in_release = [](const Node* node) { return node->group.family == Family::kRelease; };
    const bool any_release = std::ranges::any_of(crashes, in_release);
    std::map<std::string, int> named;
    for (const Node* const node : crashes) {
      if (!any_release || in_release(node)) ++named[node->rule];
    }
    Node* const simplest = *std::ranges::min_element(
        crashes, {}, [](const Node* node) { return std::make_tuple(node->group.triggers.size(), KeyOf(node->group)); });
    const auto most = std::ranges::max_element(named, {}, [](const auto& one) { return one.second; });
    simplest->rule = most->first;
    simplest->joined = crashes.size();
    for (auto& [key, node] : nodes_) {
      if (std::ranges::find(crashes, node.root) != crashes.end()) node.root = simplest;
    }
  }

  void SetRuleByMasking(Node& mask) const {
    for (const auto& [key, node] : nodes_) {
      const std::string_view rule = &node == &mask ? "" : RuleByMasking(mask.group, node.group);
      if (!rule.empty()) mask.rule = rule;
    }
  }

  Cause CauseOf(const Node& root) const {
    // If examples are equal, the one whose case tests the rule is shown.
    const auto tests = std::find_if(root.findings.begin(), root.findings.end(), [&](const Finding* finding) {
      const CaseInfo* const info = catalogue_.Find(finding->case_id);
      if (finding->earlier.empty() != root.findings.front()->earlier.empty() || info == nullptr) return false;
      return std::count(info->rules.begin(), info->rules.end(), root.rule) > 0;
    });
    const Finding& example = tests != root.findings.end() ? **tests : *root.findings.front();
    Cause cause;
    cause.id = NeedsOthers(example) ? kEarlierExchanges : CauseId(example);
    if (root.group.one_fact) cause.id += "/" + root.group.fact;
    cause.at_times = example.triggers == std::vector<std::string>{kAtTimes};
    if (!NeedsOthers(example) && !cause.at_times) {
      cause.side = example.side;
      cause.triggers = example.triggers;
    }
    cause.rule = root.rule;
    cause.verdict = root.group.verdict;
    cause.own = root.own;
    cause.case_id = example.case_id;
    cause.fact = example.fact;
    cause.key = example.key;
    cause.message = example.message;
    if (root.joined > 0) {
      cause.message =
          fmt::format("memory is damaged: {} kinds of exchanges crash, some before their first call", root.joined);
    }
    cause.wanted = example.wanted;
    cause.got = example.got;
    cause.words = example.words;
    cause.recipe = example.recipe;
    cause.earlier = example.earlier;
    std::vector<std::string> superseded;
    for (const auto& [key, node] : nodes_) {
      if (node.root != &root) continue;
      for (const Finding* finding : node.findings) {
        cause.count += finding->count;
        (finding->superseded ? superseded : cause.cases).push_back(finding->case_id);
      }
    }
    // Its only case ran again without another cause, and did not meet this one. It still is what showed it.
    if (cause.cases.empty()) cause.cases = std::move(superseded);
    std::sort(cause.cases.begin(), cause.cases.end(), [&](const std::string& a, const std::string& b) {
      return catalogue_.PlaceOf(a) < catalogue_.PlaceOf(b);
    });
    cause.cases.erase(std::unique(cause.cases.begin(), cause.cases.end()), cause.cases.end());
    return cause;
  }

  const Catalogue& catalogue_;
  const bool claims_array_api_;
  std::map<Key, Node> nodes_;
  std::set<std::pair<std::string, std::string>> checked_;  // pairs of a case and a rule that its check reported
};

}  // namespace

std::vector<Cause> CausesOf(const Catalogue& catalogue, bool claims_array_api, const std::vector<Finding>& findings) {
  return Grouping(catalogue, claims_array_api).Run(findings);
}

}  // namespace dlpack_cts::runner
