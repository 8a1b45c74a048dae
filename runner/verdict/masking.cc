// runner/verdict/masking.cc: checks whether a row of masking applies to two findings.
#include "runner/verdict/masking.h"

#include <algorithm>
#include <tuple>

#include "base/exception_text.h"
#include "runner/base/glob.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

template <typename List, typename Test>
bool Any(const List& list, Test test) {
  return std::any_of(list.begin(), list.end(),
                     [&](const auto& id) { return id != typename List::value_type{} && test(id); });
}

template <typename List>
bool Contains(const List& list, const typename List::value_type& wanted) {
  return Any(list, [&](const auto& id) { return id == wanted; });
}

template <typename List>
bool IsGiven(const List& list) {
  return Any(list, [](const auto&) { return true; });
}

bool Fits(const Pattern& pattern, const FindingGroup& one) {
  const auto has = [&](std::string_view trigger) { return one.Has(trigger); };
  return (!IsGiven(pattern.families) || Contains(pattern.families, one.family)) &&
         (!IsGiven(pattern.facts) || Contains(pattern.facts, one.fact)) &&
         (!IsGiven(pattern.got) || Contains(pattern.got, one.got)) &&
         (!IsGiven(pattern.has) || Any(pattern.has, has)) && !Any(pattern.lacks, has) &&
         !Any(pattern.has_all, [&](std::string_view trigger) { return !one.Has(trigger); }) &&
         (!pattern.loses_capsule || one.loses_capsule);
}

bool Applies(const Implied& implied, const FindingGroup& mask, const FindingGroup& masked) {
  return masked.Has(implied.trigger) && !(implied.unless_in_both && mask.Has(implied.trigger));
}

bool HasBothRoles(const FindingGroup& mask, const FindingGroup& masked) {
  const std::span<const Implied> all = ImpliedByTriggers();
  return std::any_of(all.begin(), all.end(),
                     [&](const Implied& implied) { return implied.both_roles && Applies(implied, mask, masked); });
}

/// The triggers of the mask that the row compares.
std::vector<std::string> ComparedTriggers(const Masking& row, const FindingGroup& mask, const FindingGroup& masked) {
  std::vector<std::string> triggers = mask.triggers;
  const auto leave_out = [&](const Ids& ids) {
    std::erase_if(triggers, [&](const std::string& trigger) {
      return Any(ids, [&](std::string_view id) { return Matches(std::string(id), trigger); });
    });
  };
  leave_out(row.except);
  for (const Implied& implied : ImpliedByTriggers()) {
    if (Applies(implied, mask, masked)) leave_out(implied.triggers);
  }
  return triggers;
}

/// Whether both are exceptions that look like a bug, of different lines of the library. An exchange with fewer triggers
/// does not show the other one.
bool RaiseOthers(const FindingGroup& mask, const FindingGroup& masked) {
  return mask.fact == kStumbled && masked.fact == kStumbled && !IsSameException(mask.got, masked.got);
}

bool FitTriggers(const Masking& row, const FindingGroup& mask, const FindingGroup& masked) {
  const std::vector<std::string>& set = masked.triggers;
  const std::vector<std::string> less = ComparedTriggers(row, mask, masked);
  const bool part = std::includes(set.begin(), set.end(), less.begin(), less.end());
  switch (row.triggers) {
    case Triggers::kFewer:
      return part && less.size() < set.size() && (!mask.one_fact || mask.fact == masked.fact) &&
             !RaiseOthers(mask, masked);
    case Triggers::kNoOther:
      return part;
    case Triggers::kOverlap:
      return part || std::includes(less.begin(), less.end(), set.begin(), set.end());
    case Triggers::kSimpler:
      return std::make_tuple(less.size(), less) < std::make_tuple(set.size(), set);
  }
  return false;
}

bool Holds(const Masking& row, const FindingGroup& mask, const FindingGroup& masked) {
  const bool lighter =
      WeightOf(mask.verdict) < WeightOf(masked.verdict) || (mask.invalid_input && !masked.invalid_input);
  return Fits(row.mask, mask) && Fits(row.masked, masked) && (!row.same_family || mask.family == masked.family) &&
         (!row.same_fact || (mask.fact == masked.fact && IsSameException(mask.got, masked.got))) &&
         (!lighter || row.of_any_weight) && (row.any_side || mask.side == masked.side || HasBothRoles(mask, masked)) &&
         FitTriggers(row, mask, masked);
}

}  // namespace

bool FindingGroup::Has(std::string_view trigger) const {
  return std::binary_search(triggers.begin(), triggers.end(), trigger);
}

bool Masks(const FindingGroup& mask, const FindingGroup& masked) {
  const std::span<const Masking> rows = Maskings();
  return std::any_of(rows.begin(), rows.end(), [&](const Masking& row) { return Holds(row, mask, masked); });
}

std::string_view RuleByMasking(const FindingGroup& mask, const FindingGroup& masked) {
  for (const Masking& row : Maskings()) {
    if (!row.rule.empty() && Holds(row, mask, masked)) return row.rule;
  }
  return {};
}

}  // namespace dlpack_cts::runner
