// worker/probe/limit_reasons.cc: tries other tensors and arrays that have the refused value too.
#include "worker/probe/limit_reasons.h"

#include <span>
#include <utility>

#include "base/text.h"
#include "worker/probe/combined_changes.h"

namespace dlpack_cts::worker {

bool LimitReasons::AcceptsNullStrides(const EntryPoint& point, Recipe recipe) {
  if (point.side != Side::kImport) return false;
  Recipe control = recipe;
  return ChangeOffer(*Find(Changed::kStrides, 0), profile_, recipe, control) && Accepts(point.entry, recipe);
}

const Change* LimitReasons::Find(Changed property, int number) {
  for (const std::span<const Change> changes : {AllChanges(), CombinedChanges()}) {
    const auto found = std::ranges::find_if(
        changes, [&](const Change& one) { return one.property == property && one.number == number; });
    if (found != changes.end()) return &*found;
  }
  return nullptr;
}

bool LimitReasons::IsRefusedAlone(const EntryPoint& point, Changed property, int number) {
  return IsRefusedAlone(point, Find(property, number));
}

bool LimitReasons::IsRefusedAlone(const EntryPoint& point, const Change* change) {
  if (change == nullptr) return false;
  Recipe recipe = Simple(point.entry);
  Recipe control = recipe;
  return Apply(point.side, *change, recipe, control) && !Accepts(point.entry, recipe) && Accepts(point.entry, control);
}

bool LimitReasons::AcceptsZeroStrides(const EntryPoint& point, Recipe recipe) {
  Offer& offer = recipe.offer();
  offer.strides_kind = StridesKind::kExplicit;
  offer.strides[0] = 0;
  offer.strides[1] = 1;
  return Accepts(point.entry, recipe);
}

bool LimitReasons::IsKnownAlone(const EntryPoint& point, const Change& change, const Recipe& recipe) {
  if (change.property == Changed::kKeywordAlone) {
    Recipe bare = Simple(point.entry);
    bare.call().max_version = {};
    return !Accepts(point.entry, bare);
  }
  if (IsRefusedAlone(point, Changed::kSize, 0)) return true;
  if (change.property != Changed::kEmptyRows) return false;
  if (point.side == Side::kImport && AcceptsZeroStrides(point, recipe)) return true;
  // A library that takes only some last extents does not take 0.
  return IsRefusedAlone(point, Changed::kEmptyDims, 2) || std::ranges::any_of(AllChanges(), [&](const Change& one) {
           return one.property == Changed::kLastExtent && IsRefusedAlone(point, &one);
         });
}

std::optional<Change> LimitReasons::ReasonOfCopy(const EntryPoint& point, const Change& change, const Recipe& recipe) {
  if (change.of->property != Changed::kDims || change.number < 3 || !AcceptsShape(point, recipe, MakeFull))
    return change;
  const int64_t* const shape = point.side == Side::kImport ? recipe.offer().shape : recipe.request().shape;
  const auto of_unit = std::ranges::find_if(CombinedChanges(), [](const Change& one) {
    return one.property == Changed::kCopyOf && one.of->property == Changed::kUnitExtent;
  });
  if (IsRefusedAlone(point, &*of_unit)) return std::nullopt;
  return Named(change, "copy-of-shape", TupleText(shape, change.number), "whose shape is");
}

std::optional<Change> LimitReasons::ReasonOf(const EntryPoint& point, const Change& change, const Recipe& recipe) {
  if (change.property == Changed::kUnitExtent && AcceptsNullStrides(point, recipe)) {
    return Named(change, "explicit-strides-beside-extent", "1", "with explicit strides and an extent of");
  }
  if (change.property == Changed::kLastExtent && change.number == 1) {
    if (IsRefusedAlone(point, Changed::kUnitExtent, 1)) return std::nullopt;
    return change;
  }
  if (change.property == Changed::kCopyOf) return ReasonOfCopy(point, change, recipe);
  if (IsCombined(change)) return IsKnownAlone(point, change, recipe) ? std::nullopt : std::optional(change);
  if (change.property != Changed::kDims || change.number == 0) return change;
  const int dims = change.number;
  const int64_t* const shape = point.side == Side::kImport ? recipe.offer().shape : recipe.request().shape;
  const bool has_unit = dims > 2 && IsRefusedAlone(point, Changed::kUnitExtent, 1);
  if (AcceptsNullStrides(point, recipe)) {
    if (has_unit) return std::nullopt;
    return Named(change, "explicit-strides", change.value, "with explicit strides and ndim");
  }
  bool other = dims > 2 && dims <= kWalkedDims && AcceptsShape(point, recipe, MakeFull);
  for (const int64_t last : kLastExtents) {
    other = other || AcceptsShape(point, recipe, [&](int64_t* extents, int count) { extents[count - 1] = last; });
  }
  // No tensor of so many dimensions is without an extent of 1.
  if (!other) return has_unit && dims > kWalkedDims ? std::nullopt : std::optional(change);
  const bool last = IsRefusedAlone(point, Changed::kLastExtent, static_cast<int>(shape[dims - 1]));
  if (has_unit || last) return std::nullopt;
  return Named(change, "shape", TupleText(shape, dims), "whose shape is");
}

Change LimitReasons::Named(const Change& change, std::string id, const std::string& value, const std::string& words) {
  return {change.property, change.number, std::move(id), value, words + " " + value};
}

}  // namespace dlpack_cts::worker
