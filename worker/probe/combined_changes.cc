// worker/probe/combined_changes.cc: the table of the combined changes, and how a recipe is given each.
#include "worker/probe/combined_changes.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "harness/case/case.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts::worker {
namespace {

constexpr Argument kYes = {ArgumentKind::kTrue, {}, 0, 0};

/// What a copy is asked of. Other properties do not matter to a copy of the elements.
bool MatterToCopies(const Change& change) {
  if (change.property == Changed::kDims) return change.number <= kWalkedDims;
  constexpr Changed kCopied[] = {Changed::kDtype,   Changed::kUnitExtent, Changed::kLayout,  Changed::kSize,
                                 Changed::kStrides, Changed::kOffset,     Changed::kReadOnly};
  return std::ranges::find(kCopied, change.property) != std::end(kCopied);
}

/// Legacy calls pass these.
bool IsKeywordOfOldCalls(const Change& change) {
  return change.property == Changed::kKeyword && !change.value.starts_with("max_version");
}

std::vector<Change> Listed() {
  std::vector<Change> list;
  for (int dims = 1; dims <= kWalkedDims; ++dims) {
    const std::string value = std::to_string(dims);
    list.push_back({Changed::kEmptyDims, dims, "empty-dims", value, "that are empty and have ndim " + value});
  }
  list.push_back({Changed::kEmptyRows, 0, "shape", "(2, 0)", "whose shape is (2, 0)"});
  for (const Change& of : AllChanges()) {
    if (!MatterToCopies(of)) continue;
    list.push_back({Changed::kCopyOf, of.number, "copy-of-" + of.id, of.value, of.words, &of});
  }
  for (const Change& of : AllChanges()) {
    if (!IsKeywordOfOldCalls(of)) continue;
    list.push_back({Changed::kKeywordAlone, of.number, "keyword-alone", of.value,
                    "when it is called without max_version and with " + of.value, &of});
  }
  return list;
}

Draw From(const Profile& profile) { return Draw{Random(0), 0, profile}; }

template <typename Tensor>
void SetEmpty(int dims, Tensor& tensor, Tensor& control) {
  SetRank(dims, tensor);
  SetRank(dims, control);
  tensor.shape[0] = 0;
}

/// (2, 0) instead of (2, 3).
template <typename Tensor>
void SetEmptyRows(Tensor& tensor, Tensor& control) {
  SetRank(2, tensor);
  SetRank(2, control);
  tensor.shape[1] = 0;
}

/// The control is the same tensor or array without the keyword.
void SetCopy(Recipe& recipe, Recipe& control) {
  control = recipe;
  recipe.call().copy = kYes;
}

}  // namespace

std::span<const Change> CombinedChanges() {
  static const std::vector<Change> changes = Listed();
  return changes;
}

bool IsDeclaredTogether(const Change& change, Side side, const Profile& profile) {
  const Declared& declared = profile.declared;
  switch (change.property) {
    case Changed::kEmptyDims:
      return !declared.MayHaveRank(change.number);
    case Changed::kEmptyRows:
      return !declared.MayHaveRank(2) || declared.last_extents != 0;
    case Changed::kCopyOf:
      if (!profile.Claims(Claim::kPython)) return true;
      if (side == Side::kImport && !profile.Claims(Claim::kCopyKeyword)) return true;
      return IsDeclared(*change.of, side, profile);
    default:
      return IsDeclared(*change.of, side, profile);
  }
}

bool CombineOffer(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control) {
  Offer& offer = recipe.offer();
  switch (change.property) {
    case Changed::kEmptyDims:
      SetEmpty(change.number, offer, control.offer());
      offer.placement = Placement::kNull;
      // The question about the size asks for this rank.
      return change.number != From(profile).Rank(std::max<int>(profile.plain_rank, 1));
    case Changed::kEmptyRows:
      SetEmptyRows(offer, control.offer());
      offer.placement = Placement::kNull;
      return true;
    case Changed::kCopyOf:
      if (!ChangeOffer(*change.of, profile, recipe, control)) return false;
      SetCopy(recipe, control);
      return true;
    default:
      return false;
  }
}

bool CombineRequest(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control) {
  switch (change.property) {
    case Changed::kEmptyDims:
      SetEmpty(change.number, recipe.request(), control.request());
      return change.number != From(profile).MadeRank(std::max<int>(profile.made_rank, 1));
    case Changed::kEmptyRows:
      SetEmptyRows(recipe.request(), control.request());
      return true;
    case Changed::kCopyOf:
      if (!ChangeRequest(*change.of, profile, recipe, control)) return false;
      SetCopy(recipe, control);
      return true;
    default:
      // Without max_version in both, the keyword has a question of its own.
      if (profile.takes_keywords == 0 || !ChangeRequest(*change.of, profile, recipe, control)) return false;
      control = recipe;
      recipe.call().max_version = {};
      return true;
  }
}

}  // namespace dlpack_cts::worker
