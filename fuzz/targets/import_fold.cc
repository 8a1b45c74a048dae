// fuzz/targets/import_fold.cc: changes any recipe into an import.
#include "fuzz/targets/fold.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <span>

#include "harness/case/case.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts::fuzz {
namespace {

/// Devices whose memory a CPU build cannot reach. The data of such an offer is an inaccessible page.
bool IsFarDevice(int32_t type) {
  return type == abi::kDLExtDev || std::ranges::find(kForeignDevices, type) != std::end(kForeignDevices);
}

void FoldDevice(Offer& offer) {
  if (IsFarDevice(offer.device.device_type)) {
    offer.placement = Placement::kUnmapped;
    offer.byte_offset = 0;
    offer.flags &= ~abi::kFlagReadOnly;
  } else {
    offer.device = {abi::kDLCPU, 0};
  }
  offer.reported_device = offer.device;
}

/// A struct that a native library gets: it owns it, whatever it answers, and there is neither capsule nor producer.
void FoldNative(Recipe& recipe) {
  Offer& offer = recipe.offer();
  offer.name = CapsuleName::kOwn;
  offer.gives = Gives::kCapsule;
  offer.keywords = kIgnoresKeywords;
  offer.destructor = DestructorKind::kReleases;
  Argument& copy = recipe.call().copy;
  if (copy.kind != ArgumentKind::kTrue && copy.kind != ArgumentKind::kFalse) copy = {};
  recipe.call().dl_device = {};
}

void FoldStrides(Offer& offer) {
  for (int d = 0; d < offer.dims; ++d) {
    if (offer.strides[d] == std::numeric_limits<int64_t>::min()) offer.strides[d] = 0;
    offer.strides[d] = std::abs(offer.strides[d]);
  }
}

/// Extents whose product does not overflow for any number of dimensions: all after the first sixteen significant ones
/// are 1.
void FoldExtents(Offer& offer) {
  constexpr int64_t kFew = 5;
  int left = 16;
  for (int d = 0; d < offer.dims; ++d) {
    offer.shape[d] %= kFew;
    if (offer.shape[d] > 1 && left-- <= 0) offer.shape[d] = 1;
  }
}

/// The offer of a conforming producer that is closest to the offer of the recipe.
void FoldLegal(Offer& offer) {
  offer.major = offer.kind == StructKind::kVersioned ? 1 : 0;
  offer.device = offer.reported_device = {abi::kDLCPU, 0};
  offer.name = CapsuleName::kOwn;
  offer.ndim = offer.dims;
  offer.flags &= abi::kFlagReadOnly | abi::kFlagIsCopied;
  offer.gives = Gives::kCapsule;
  Keywords& keywords = offer.keywords;
  for (Reply* answer : {&keywords.max_version, &keywords.dl_device, &keywords.copy, &keywords.stream}) {
    if (*answer == Reply::kRaises) *answer = Reply::kIgnores;
  }
  if (offer.deleter != DeleterKind::kNull) offer.destructor = DestructorKind::kReleases;
  if ((BrokenLaws(offer) & kLawDtype) != 0) {
    const auto types = WholeByteTypes();
    offer.dtype = types[static_cast<size_t>(offer.dtype.code * 31 + offer.dtype.bits) % types.size()].dtype;
    if (!VersionHasDataType(offer.kind, offer.minor, offer.dtype)) offer.dtype = {abi::kDLFloat, 32, 1};
  }
  const uint32_t laws = BrokenLaws(offer);
  if ((laws & (kLawFar | kLawWithheld)) != 0) offer.placement = Placement::kEndsAtGuard;
  if ((laws & kLawHuge) != 0) FoldExtents(offer);
}

/// One import, then those steps of the recipe that do not write, in their order.
void FoldLife(Recipe& recipe, bool may_read) {
  Step steps[kSteps] = {};
  size_t count = 0;
  steps[count++].op = Op::kImport;
  for (const Step& step : recipe.life()) {
    const bool reads = step.op == Op::kRead || step.op == Op::kCompute || step.op == Op::kTakeView;
    if (count == kSteps || !HasTrait(step.op, OpTrait::kFuzzedImport) || (!may_read && reads)) continue;
    // The result of the library may be dropped on another thread; all other steps run on the main thread.
    const bool elsewhere = step.op == Op::kDropArray && step.lane != 0;
    const bool behind = steps[count - 1].lane != 0;
    steps[count].op = step.op;
    steps[count].lane = elsewhere ? 1 : 0;
    steps[count].barrier = elsewhere || behind ? 1 : 0;
    ++count;
  }
  if (count == 1 && may_read) return SetPlainLife(recipe);
  if (count == 1) steps[count++].op = Op::kDescribe;
  SetLife(recipe, std::span<const Step>(steps, count));
}

void FoldOnce(Recipe& recipe, const Offering& offering) {
  recipe.kind = RecipeKind::kImport;
  recipe.used.offers = recipe.used.requests = recipe.used.calls = 1;
  recipe.rounds = 1;
  recipe.table = {};
  recipe.request() = {};
  Normalize(recipe);
  Offer& offer = recipe.offer();
  offer.large = 0;                                                           // because large tensors are slow
  if (offer.kind == StructKind::kView) offer.kind = StructKind::kVersioned;  // a capsule cannot hold a bare DLTensor
  if (offer.kind == StructKind::kLegacy) offer.flags = offer.major = offer.minor = 0;
  FoldDevice(offer);
  if (!offering.capsules) FoldNative(recipe);
  if (!offering.negative) FoldStrides(offer);
  if (offering.tier != Tier::kHostile) {
    offer.negative_metadata = 0;
    if (offer.dtype.bits == 0) offer.dtype.bits = 32;
    if (offer.dtype.lanes == 0) offer.dtype.lanes = 1;
    if (offering.tier == Tier::kLegal) FoldLegal(offer);
    const int natural = std::max(NaturalAlignmentLog2(offer.dtype), 0);
    offer.alignment_log2 = std::max(offer.alignment_log2, static_cast<uint8_t>(natural));
    Normalize(recipe);
    if ((BrokenLaws(offer) & kLawExtents) != 0) FoldExtents(offer);
    MendLies(offer, kHostileLaws);
  }
  Normalize(recipe);
  const uint32_t laws = BrokenLaws(offer);
  // A library that imports invalid input, or memory of another device, must not be asked to read it.
  FoldLife(recipe, (laws & (kHostileLaws | kLawDevice)) == 0);
  Normalize(recipe);
}

}  // namespace

bool IsHostMemory(int32_t type) {
  constexpr int32_t kHost[] = {abi::kDLCPU, abi::kDLCUDAHost, abi::kDLROCMHost, abi::kDLCUDAManaged, abi::kDLTPUHost};
  return std::ranges::find(kHost, type) != std::end(kHost);
}

void FoldImport(Recipe& recipe, const Offering& offering) {
  // One correction may make an earlier one necessary again: a corrected extent may leave no elements.
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    const Recipe before = recipe;
    FoldOnce(recipe, offering);
    if (Same(before, recipe)) return;
  }
}

}  // namespace dlpack_cts::fuzz
