// worker/job/avoid.cc: exchanges that a case leaves out when it runs again.
#include "worker/job/avoid.h"

#include <algorithm>

#include "harness/recipe/ops.h"

namespace dlpack_cts::worker {
namespace {

bool HoldsAny(const Property& property, const Recipe& recipe) {
  return std::any_of(property.values.begin(), property.values.end(),
                     [&](const Trigger& value) { return value.Holds(recipe); });
}

bool IsDefault(const Property* property) {
  return std::ranges::find(DefaultProperties(), property) != DefaultProperties().end();
}

}  // namespace

Side SideOfStep(Op op, const Recipe& recipe) {
  if (HasTrait(op, OpTrait::kImportSide | OpTrait::kExportSide)) {
    return HasTrait(op, OpTrait::kImportSide) ? Side::kImport : Side::kExport;
  }
  return recipe.kind == RecipeKind::kImport ? Side::kImport : Side::kExport;
}

bool Avoided::MayShow(const Recipe& recipe) const {
  const auto has_side = [&](const Step& step) { return SideOfStep(step.op, recipe) == side; };
  if (std::none_of(recipe.steps, recipe.steps + recipe.used.steps, has_side)) return false;
  return std::all_of(needs.begin(), needs.end(), [&](const Need& need) {
    return widely ? HoldsAny(*need.property, recipe) : need.value->Holds(recipe);
  });
}

bool Avoided::NeedsDefault() const {
  return std::ranges::any_of(needs, [](const Need& need) { return IsDefault(need.property); });
}

bool MayShowAny(const std::vector<Avoided>& avoided, const Recipe& recipe) {
  return std::any_of(avoided.begin(), avoided.end(), [&](const Avoided& one) { return one.MayShow(recipe); });
}

bool LeadsTo(const std::vector<Avoided>& avoided, const Recipe& recipe) {
  return std::any_of(avoided.begin(), avoided.end(),
                     [&](const Avoided& one) { return one.NeedsDefault() && one.MayShow(recipe); });
}

std::vector<Avoided::Need> NeedsOf(const std::vector<std::string>& ids, const Recipe& example) {
  std::vector<Avoided::Need> needs;
  for (const Property* const property : DefaultProperties()) {
    const Trigger& value = property->values.front();
    if (std::ranges::find(ids, value.id) != ids.end()) needs.push_back({property, &value});
  }
  const auto triggers = std::ranges::count_if(ids, [](const std::string& id) { return TriggerIndex(id) >= 0; });
  const bool told = static_cast<size_t>(triggers) + needs.size() == ids.size();
  for (const Property& property : AllProperties()) {
    for (const Trigger& value : property.values) {
      const bool named = std::find(ids.begin(), ids.end(), value.id) != ids.end();
      if (told ? named : value.Holds(example)) needs.push_back({&property, &value});
    }
  }
  return needs;
}

}  // namespace dlpack_cts::worker
