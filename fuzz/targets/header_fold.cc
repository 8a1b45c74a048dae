// fuzz/targets/header_fold.cc: changes any recipe into the import of a struct whose fields have any values.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "fuzz/targets/fold.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int32_t kMostDims = 1000;  // Shape and strides have memory for so many entries.

bool IsElsewhere(Placement placement) {
  return placement == Placement::kUnmapped || placement == Placement::kForeignHandle;
}

/// As many dimensions with entries of their own as a recipe can hold. Later extents are 1.
void FoldDims(Offer& offer) {
  offer.ndim = std::min(offer.ndim, kMostDims);
  const auto dims = static_cast<uint8_t>(std::clamp<int32_t>(offer.ndim, 0, kDims));
  for (int d = offer.dims; d < dims; ++d) {
    offer.shape[d] = 1;
    if (offer.strides_kind == StridesKind::kExplicit) offer.strides[d] = 1;
  }
  offer.dims = dims;
  offer.fill_extent = 1;
}

/// Removes what is not part of a struct, and what is not a field of its kind.
void FoldStruct(Offer& offer) {
  if (offer.kind == StructKind::kView) offer.kind = StructKind::kVersioned;
  if (offer.kind == StructKind::kLegacy) offer.flags = offer.major = offer.minor = 0;
  const bool is_foreign = offer.kind == StructKind::kVersioned && offer.major > 1;
  offer.place = is_foreign                              ? StructPlace::kBodyUnmapped
                : offer.place == StructPlace::kReadOnly ? StructPlace::kReadOnly
                                                        : StructPlace::kGuarded;
  if (offer.deleter != DeleterKind::kNull) offer.deleter = DeleterKind::kCounting;
  offer.destructor = DestructorKind::kReleases;
  offer.name = CapsuleName::kOwn;
  offer.keywords = kIgnoresKeywords;
  offer.gives = Gives::kCapsule;
  if (offer.placement == Placement::kFarOffset || offer.placement == Placement::kDevice) {
    offer.placement = Placement::kEndsAtGuard;
  }
  offer.large = 0;
  offer.seed = 0;
}

/// A consumer on the CPU cannot access the memory of another device, so it does not exist. Data of the CPU that has
/// elements is memory or NULL: no consumer could recognise another address as wrong.
void FoldData(Offer& offer) {
  if (!IsHostMemory(offer.device.device_type)) {
    if (offer.placement != Placement::kNull && !IsElsewhere(offer.placement)) offer.placement = Placement::kUnmapped;
  } else if (IsElsewhere(offer.placement) && !IsEmpty(offer)) {
    offer.placement = Placement::kEndsAtGuard;
  }
  offer.reported_device = offer.device;
}

void FoldRaw(Offer& offer, const Offering& offering) {
  for (int d = 0; d < offer.dims && !offering.negative; ++d) {
    if (offer.strides[d] == std::numeric_limits<int64_t>::min()) offer.strides[d] = 0;
    offer.strides[d] = std::abs(offer.strides[d]);
  }
  FoldData(offer);
  const int natural = std::max(NaturalAlignmentLog2(offer.dtype), 0);
  offer.alignment_log2 = std::max(offer.alignment_log2, static_cast<uint8_t>(natural));
  offer.negative_metadata = 0;
  // These extents are visibly wrong, and stay. All others are reduced to the memory that there is.
  if ((BrokenLaws(offer) & kLawExtents) != 0) offer.negative_metadata = 1;
  Normalize(offer);
}

}  // namespace

void FoldHeader(Recipe& recipe, const Offering& offering) {
  recipe.kind = RecipeKind::kImport;
  recipe.used = {1, 1, 1, 0};
  recipe.rounds = 1;
  recipe.table = {};
  recipe.request() = {};
  Argument copy = recipe.call().copy;
  if (copy.kind != ArgumentKind::kTrue && copy.kind != ArgumentKind::kFalse) copy = {};
  recipe.call() = {};
  recipe.call().copy = copy;
  Offer& offer = recipe.offer();
  offer.negative_metadata = 1;  // until FoldRaw() or FoldImport() decides: Normalize() changes no extent
  Normalize(recipe);
  FoldStruct(offer);
  FoldDims(offer);
  if (offering.tier == Tier::kHostile) {
    FoldRaw(offer, offering);
  } else {
    FoldImport(recipe, offering);
    offer.reported_device = offer.device;
  }
  const bool may_read = (BrokenLaws(offer) & (kHostileLaws | kLawDevice)) == 0;
  if (may_read) {
    SetPlainLife(recipe);
  } else {
    SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropArray, Op::kCollect});
  }
  Normalize(recipe);
}

}  // namespace dlpack_cts::fuzz
