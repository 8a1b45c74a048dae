// worker/accused.cc: finds the attributions of a cause, and the cases that are about its triggers.
#include "worker/accused.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "harness/attribute/attribution.h"
#include "harness/attribute/properties.h"
#include "harness/case/case.h"
#include "harness/case/generous.h"
#include "results/cause.h"
#include "worker/diagnose/case_examples.h"

namespace dlpack_cts::worker {
namespace {

/// The triggers that all examples of the case have.
TriggerSet CommonOf(const Case& tested, const Profile& profile) {
  TriggerSet common;
  common.set();
  ForEachExample(tested, profile, [&](const Recipe& recipe) { common &= TriggersOf(recipe); });
  return common;
}

/// Triggers that a case is about. It may choose ranks, dtypes, kinds of struct and steps freely, and minimising removes
/// them.
TriggerSet TellingTriggers() {
  constexpr std::string_view kOthers[] = {"rank-",       "dtype-",     "step-",   "legacy",
                                          "minor-",      "strided",    "several", "explicit-strides",
                                          "unit-extent", "two-extents"};
  TriggerSet telling;
  for (size_t i = 0; i < AllTriggers().size(); ++i) {
    const std::string_view id = AllTriggers()[i]->id;
    telling[i] = std::none_of(std::begin(kOthers), std::end(kOthers),
                              [id](std::string_view other) { return id.starts_with(other); });
  }
  return telling;
}

bool IsOnSide(const Case& tested, Side side) {
  return tested.role == Role::kExchange || (tested.role == Role::kConsumer) == (side == Side::kImport);
}

/// The cases whose examples all have exactly these triggers, as far as a case is about them.
nlohmann::json CasesAbout(Side side, const TriggerSet& triggers) {
  const Profile profile = Generous();
  const TriggerSet about = TellingTriggers();
  nlohmann::json cases = nlohmann::json::array();
  if ((triggers & about).none()) return cases;
  for (const Case& tested : Catalogue()) {
    if (tested.draw == nullptr || tested.pair || !IsOnSide(tested, side)) continue;
    const TriggerSet common = CommonOf(tested, profile) & about;
    if (common != (triggers & about)) continue;
    cases.push_back({{"case", tested.id}, {"rule", tested.rules.front()}, {"triggers", IdsOf(common)}});
  }
  return cases;
}

template <typename Word>
std::optional<Word> Named(std::string text) {
  for (char& c : text) c = c == '-' ? ' ' : c;
  return FromText<Word>(text);
}

}  // namespace

nlohmann::json AccusedBy(const CauseParts& parts) {
  const std::optional<Side> side = Named<Side>(parts.side);
  const std::optional<Family> family = Named<Family>(parts.family);
  if (!side || !family || static_cast<size_t>(*family) >= kAttributedFamilies) return nullptr;
  std::vector<std::string> triggers;
  TriggerSet set;
  for (const std::string_view id : Split(parts.triggers, "+")) {
    if (id.empty()) continue;
    triggers.emplace_back(id);
    if (const int index = TriggerIndex(id); index >= 0) set.set(static_cast<size_t>(index));
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const AttributionRow* row : PossibleAttributions({*side, *family, parts.fact, "", triggers})) {
    rows.push_back({{"rule", row->rule}, {"triggers", row->triggers}, {"facts", row->facts}, {"got", row->got}});
  }
  return {{"rows", rows}, {"cases", CasesAbout(*side, set)}};
}

}  // namespace dlpack_cts::worker
