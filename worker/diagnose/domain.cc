// worker/diagnose/domain.cc: generates some examples, and notes which properties never have their default value.
#include "worker/diagnose/domain.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/recipe/arguments.h"
#include "worker/diagnose/case_examples.h"

namespace dlpack_cts::worker {
namespace {

/// Properties that a case may be about. Steps, dtypes, ranks and kinds of struct are left out: most cases choose some
/// of them, and would judge others in the same way.
constexpr std::string_view kTelling[] = {"unknown-keyword", "stream", "dl_device", "copy",  "max_version", "metadata",
                                         "gives",           "name",   "device",    "flags", "oddity",      "lanes"};
/// The same for single values of other properties.
constexpr std::string_view kTellingValues[] = {"major-0", "major-2", "empty"};

bool HasRanks(const Profile& profile, const Recipe& recipe) {
  const auto has = [](uint32_t ranks, int dims) { return dims >= 32 || (ranks >> dims & 1u) != 0; };
  for (int i = 0; recipe.kind == RecipeKind::kImport && i < recipe.used.offers; ++i) {
    if (!has(profile.takes_ranks, recipe.offer(i).dims)) return false;
  }
  for (int i = 0; recipe.kind == RecipeKind::kExport && i < recipe.used.requests; ++i) {
    if (!has(profile.makes_ranks, recipe.request(i).dims)) return false;
  }
  return true;
}

}  // namespace

Domain::Domain(const Case& tested, const Profile& profile, const Recipe& example)
    : profile_(profile), ranks_(HasRanks(profile, example)) {
  if (tested.draw == nullptr) return;
  for (int call = 1; call < example.used.calls; ++call) {
    for (const auto argument : {&Call::max_version, &Call::dl_device, &Call::copy, &Call::stream}) {
      ties_.push_back({call, argument});
    }
  }
  std::vector<TriggerSet> sets;
  const auto untie = [&](const Recipe& recipe) {
    std::erase_if(ties_, [&](const Tie& tie) { return !tie.IsKeptBy(recipe); });
  };
  untie(example);
  ForEachExample(tested, profile, [&](const Recipe& recipe) {
    sets.push_back(TriggersOf(recipe));
    untie(recipe);
  });
  const TriggerSet own = TriggersOf(example);
  const auto need = [&](const TriggerSet& values) {
    TriggerSet seen = own & values;
    if (seen.none()) return;
    for (const TriggerSet& set : sets) {
      if ((set & values).none()) return;
      seen |= set & values;
    }
    needed_.push_back(seen);
  };
  for (const Property& property : AllProperties()) {
    if (std::find(std::begin(kTelling), std::end(kTelling), property.id) == std::end(kTelling)) continue;
    TriggerSet values;
    for (const Trigger& value : property.values) values.set(static_cast<size_t>(TriggerIndex(value.id)));
    need(values);
  }
  for (const std::string_view id : kTellingValues) {
    TriggerSet value;
    value.set(static_cast<size_t>(TriggerIndex(id)));
    need(value);
  }
}

bool Domain::Tie::IsKeptBy(const Recipe& recipe) const {
  return call >= recipe.used.calls || HaveOneValue(recipe.call().*argument, recipe.call(call).*argument);
}

bool Domain::Holds(const Recipe& candidate) const {
  const auto kept = [&](const Tie& tie) { return tie.IsKeptBy(candidate); };
  if (!std::all_of(ties_.begin(), ties_.end(), kept)) return false;
  const TriggerSet set = TriggersOf(candidate);
  return std::all_of(needed_.begin(), needed_.end(), [&](const TriggerSet& one) { return (set & one).any(); }) &&
         (!ranks_ || HasRanks(profile_, candidate));
}

}  // namespace dlpack_cts::worker
