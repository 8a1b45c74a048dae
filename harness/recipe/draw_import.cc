// harness/recipe/draw_import.cc: generates the tensor that the forge offers to a consumer.
#include <algorithm>
#include <limits>
#include <span>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/layout.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/walk.h"

namespace dlpack_cts {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

template <typename T, size_t kSize>
const T& Pick(Random& random, const T (&values)[kSize]) {
  return values[random.Below(kSize)];
}

/// The next dtype that the kind of struct supports, if it does not support the chosen one.
int CarriedDataType(int chosen, uint64_t mask) {
  constexpr int kWords = 64;
  for (int i = 0; i < kWords; ++i) {
    const int index = (chosen + i) % kWords;
    if (index >= static_cast<int>(WholeByteTypes().size()) || (mask != 0 && ((mask >> index) & 1u) == 0)) continue;
    if (DataTypes()[static_cast<size_t>(index)].dtype.code <= abi::kDLBool) return index;
  }
  return chosen;
}

void DrawVersion(Random& random, Offer& offer) {
  static constexpr uint32_t kMinors[] = {0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3};
  offer.major = 1;
  offer.minor = random.OneIn(12) ? static_cast<uint32_t>(random.Between(4, 99)) : Pick(random, kMinors);
  if (offer.dtype.code > abi::kDLBool && offer.minor == 0) offer.minor = 1;
}

/// Arbitrary strides in dimensions of extent 0 or 1, and in tensors without elements.
void DrawOddStrides(Random& random, const Limits& limits, Offer& offer) {
  // The first four are not negative.
  static constexpr int64_t kOdd[] = {0, 777, 1, kHuge, -5, std::numeric_limits<int64_t>::min(), -1};
  const uint64_t choices = limits.negative ? 7 : 4;
  const bool empty = IsEmpty(offer);
  for (int d = 0; d < offer.dims; ++d) {
    if (!empty && offer.shape[d] != 1) continue;
    const int64_t odd = kOdd[random.Below(choices)];
    if (AllowsStride(limits.layouts, offer.shape[d], odd)) offer.strides[d] = odd;
  }
}

void DrawLayout(Random& random, const Limits& limits, int64_t item, Offer& offer) {
  const bool old = offer.kind == StructKind::kLegacy || offer.minor < 2 || offer.dims == 0;
  const bool null_is_legal = old && (limits.null_strides || offer.dims == 0);
  if (null_is_legal && random.OneIn(5)) {
    offer.strides_kind = StridesKind::kNull;
    return;
  }
  if (random.OneIn(5)) return;
  offer.strides_kind = StridesKind::kExplicit;
  if (!limits.strided || random.OneIn(8)) {
    CompactStrides(offer.shape, offer.dims, offer.strides);
  } else {
    const Layout layout = DrawLayoutOf(random, limits.layouts);
    DrawStrides(random, layout, offer.shape, offer.dims, item, offer.strides);
    for (int d = 0; d < offer.dims && !limits.negative; ++d) offer.strides[d] = Magnitude(offer.strides[d]);
  }
  if (limits.strided && random.OneIn(2)) DrawOddStrides(random, limits, offer);
}

void DrawPlacement(Random& random, const Limits& limits, int64_t item, Offer& offer) {
  static constexpr uint8_t kAlignments[] = {0, 0, 2, 4, 6, 6, 6, 6, 8, 12};
  const int natural = std::max({NaturalAlignmentLog2(offer.dtype), limits.alignment_log2, 0});
  offer.alignment_log2 = static_cast<uint8_t>(std::max<int>(natural, Pick(random, kAlignments)));
  if (random.OneIn(4)) offer.placement = Placement::kStartsAtGuard;
  if (IsEmpty(offer)) {
    if (random.OneIn(2)) {
      offer.placement = Placement::kNull;
      return;
    }
  }
  if (limits.offset && random.OneIn(3)) {
    const int64_t offsets[] = {item, item * random.Between(2, 9), 64, 64 * random.Between(2, 5), 256};
    offer.byte_offset = static_cast<uint64_t>(Pick(random, offsets));
    // Without this `data` would be less aligned than the subject accepts.
    const uint64_t unit = uint64_t{1} << limits.alignment_log2;
    offer.byte_offset = (offer.byte_offset + unit - 1) / unit * unit;
    // So `data` itself is readable too: a consumer that ignores byte_offset reads wrong values, and does not crash.
    offer.placement = Placement::kEndsAtGuard;
  }
}

void DrawFlags(Random& random, const Limits& limits, Offer& offer) {
  if (offer.kind == StructKind::kLegacy) return;
  if (limits.read_only && random.OneIn(6)) {
    offer.flags |= abi::kFlagReadOnly;
    if (offer.placement != Placement::kNull && random.OneIn(2)) offer.placement = Placement::kReadOnlyPage;
  }
  if (random.OneIn(10)) offer.flags |= abi::kFlagIsCopied;
}

void DrawOwner(Random& random, Offer& offer) {
  static constexpr ContextKind kContexts[] = {ContextKind::kPointer, ContextKind::kPointer, ContextKind::kPointer,
                                              ContextKind::kPointer, ContextKind::kNull,    ContextKind::kOne,
                                              ContextKind::kUnmapped};
  static constexpr Keywords kOld[] = {kIgnoresKeywords, kNegotiates, kNegotiates, kStreamOnly, kNoKeywords};
  offer.context = Pick(random, kContexts);
  if (random.OneIn(48)) {
    offer.deleter = DeleterKind::kNull;
    if (random.OneIn(2)) offer.destructor = DestructorKind::kNone;
  }
  if (random.OneIn(16)) offer.place = StructPlace::kReadOnly;
  offer.keywords = offer.kind == StructKind::kLegacy ? Pick(random, kOld)
                   : random.OneIn(2)                 ? kIgnoresKeywords
                                                     : kNegotiates;
}

void DrawLegal(Random& random, int index, const Limits& limits, Offer& offer) {
  Combination combination = WalkCombinations(index, limits);
  offer.kind = combination.kind;
  const auto type = [&combination] { return DataTypes()[static_cast<size_t>(combination.dtype)].dtype; };
  if (offer.kind == StructKind::kLegacy && type().code > abi::kDLBool) {
    // A legacy struct has no version with these dtypes.
    if (limits.versioned) {
      offer.kind = StructKind::kVersioned;
    } else {
      combination.dtype = CarriedDataType(combination.dtype, limits.dtypes);
    }
  }
  offer.dtype = type();
  offer.dims = static_cast<uint8_t>(DrawRank(random, combination.dims, limits));
  offer.ndim = offer.dims;
  if (offer.kind == StructKind::kVersioned) {
    DrawVersion(random, offer);
  } else {
    offer.major = offer.minor = 0;
  }
  const int64_t item = ItemSize(offer.dtype);
  DrawShape(random, offer.dims, item, limits.empty && random.OneIn(10), offer.shape);
  offer.null_shape = offer.dims == 0 && random.OneIn(2);
  if (limits.large && offer.dims > 0 && random.OneIn(kLargeOneIn)) {
    offer.large = 1;  // compact, because only the size matters
    DrawLargeShape(random, offer.dims, item, offer.shape);
  } else {
    DrawLayout(random, limits, item, offer);
  }
  DrawPlacement(random, limits, item, offer);
  DrawFlags(random, limits, offer);
  DrawOwner(random, offer);
  offer.seed = random.Next();
}

// ---- The edge tier: a legal offer with one unusual value.

void MakeVersioned(Offer& offer, uint32_t minor) {
  if (offer.kind != StructKind::kVersioned) offer.keywords = kNegotiates;
  offer.kind = StructKind::kVersioned;
  offer.major = 1;
  offer.minor = minor;
  if (offer.strides_kind == StridesKind::kNull) offer.strides_kind = StridesKind::kCompact;
}

void SetForeignMajor(Random& random, Offer& offer) {
  static constexpr uint32_t kMajors[] = {0, 2, 3, 0x7FFFFFFF, 0xFFFFFFFF};
  MakeVersioned(offer, random.OneIn(2) ? 0 : 3);
  offer.major = Pick(random, kMajors);
  if (offer.major != 0) offer.place = StructPlace::kBodyUnmapped;
}

void SetForeignDevice(Random& random, Offer& offer) {
  // Devices whose memory a CPU build cannot reach, and must not take for host memory.
  static constexpr int32_t kDevices[] = {abi::kDLOpenCL, abi::kDLVulkan,  abi::kDLMetal, abi::kDLVPI, abi::kDLExtDev,
                                         abi::kDLWebGPU, abi::kDLHexagon, abi::kDLMAIA,  abi::kDLTrn, 99};
  offer.device.device_type = Pick(random, kDevices);
  if (offer.device.device_type == abi::kDLTrn || offer.device.device_type == 99) {
    MakeVersioned(offer, 99);
  }
  offer.reported_device = offer.device;
  offer.flags &= ~abi::kFlagReadOnly;
  offer.placement = Placement::kUnmapped;
}

void SetForeignDataType(Random& random, Offer& offer) {
  static constexpr abi::DLDataType kTypes[] = {{200, 32, 1},
                                               {abi::kDLInt, 24, 1},
                                               {abi::kDLInt, 128, 1},
                                               {abi::kDLUInt, 4, 1},
                                               {abi::kDLFloat, 8, 1},
                                               {abi::kDLFloat, 128, 1},
                                               {abi::kDLBfloat, 32, 1},
                                               {abi::kDLComplex, 16, 1},
                                               {abi::kDLBool, 1, 1},
                                               {abi::kDLBool, 32, 1},
                                               {abi::kDLOpaqueHandle, 64, 1},
                                               {abi::kDLBcomplex, 32, 1},
                                               {abi::kDLFloat8_e4m3fn, 16, 1}};
  offer.dtype = Pick(random, kTypes);
  if (offer.dtype.code > abi::kDLBool) {
    MakeVersioned(offer, 99);
  }
  offer.alignment_log2 = std::max<uint8_t>(offer.alignment_log2, 4);
}

void SetManyDims(Random& random, Offer& offer) {
  static constexpr int32_t kNdims[] = {9, 10, 16, 32, 33, 64, 65, 128, 257, 1000};
  offer.ndim = Pick(random, kNdims);
  offer.fill_extent = 1;
  offer.null_shape = 0;
  if (offer.strides_kind == StridesKind::kNull) offer.strides_kind = StridesKind::kCompact;
}

void SetHugeBesideZero(Random& random, Offer& offer) {
  static constexpr int64_t kExtents[] = {kHuge, int64_t{1} << 62, int64_t{1} << 33, int64_t{1} << 32, 0x7FFFFFFF};
  offer.dims = static_cast<uint8_t>(std::max<int>(offer.dims, 2));
  offer.ndim = offer.dims;
  offer.null_shape = 0;
  for (int d = 0; d < offer.dims; ++d) offer.shape[d] = random.OneIn(2) ? Pick(random, kExtents) : 1;
  const uint64_t zero = random.Below(offer.dims);
  offer.shape[zero] = 0;
  offer.shape[zero == 0 ? 1 : 0] = Pick(random, kExtents);
  if (offer.strides_kind == StridesKind::kNull) offer.strides_kind = StridesKind::kCompact;
}

void SetWithheldData(Random& random, Offer& offer) {
  if (offer.dims == 0) {
    offer.dims = 1;
    offer.ndim = 1;
    offer.null_shape = 0;
    if (offer.strides_kind == StridesKind::kNull) offer.strides_kind = StridesKind::kCompact;
  }
  offer.shape[random.Below(offer.dims)] = 0;
  offer.placement = random.OneIn(2) ? Placement::kUnmapped : Placement::kForeignHandle;
}

void MakeEdge(Random& random, Offer& offer) {
  static constexpr CapsuleName kNames[] = {CapsuleName::kUsed, CapsuleName::kForeign, CapsuleName::kTrailingSpace,
                                           CapsuleName::kNone};
  switch (random.Below(10)) {
    case 0:
      return SetForeignMajor(random, offer);
    case 1:
      return SetForeignDevice(random, offer);
    case 2:
      return SetForeignDataType(random, offer);
    case 3:
      offer.dtype.lanes = static_cast<uint16_t>(random.OneIn(2) ? 2 : random.Between(3, 8));
      return;
    case 4:
      return SetManyDims(random, offer);
    case 5:
      return SetHugeBesideZero(random, offer);
    case 6:
      return SetWithheldData(random, offer);
    case 7:
      MakeVersioned(offer, 99);
      offer.flags |= uint64_t{1} << random.Between(2, 63);
      return;
    case 8:
      offer.name = Pick(random, kNames);
      return;
    default:
      offer.gives = random.OneIn(2) ? Gives::kBufferError : Gives::kNone;
  }
}

// ---- The hostile tier: one invalid value that a consumer cannot always detect.

void GiveDims(Offer& offer) {
  offer.dims = static_cast<uint8_t>(std::max<int>(offer.dims, 1));
  offer.ndim = offer.dims;
  for (int d = 0; d < offer.dims; ++d) offer.shape[d] = std::max<int64_t>(1, offer.shape[d]);
}

void MakeHostile(Random& random, Offer& offer) {
  static constexpr int64_t kExtents[] = {-1, -2, std::numeric_limits<int64_t>::min(), kHuge, int64_t{1} << 62};
  static constexpr int32_t kNdims[] = {-1, -2, std::numeric_limits<int32_t>::min()};
  switch (random.Below(7)) {
    case 0:
      GiveDims(offer);
      offer.negative_metadata = 1;
      offer.shape[random.Below(offer.dims)] = Pick(random, kExtents);
      return;
    case 1:
      offer.negative_metadata = 1;
      offer.ndim = Pick(random, kNdims);
      return;
    case 2:
      for (int d = 0; d < offer.dims; ++d) offer.shape[d] = std::max<int64_t>(1, offer.shape[d]);
      offer.placement = Placement::kNull;
      offer.byte_offset = 0;
      return;
    case 3:
      (random.OneIn(2) ? offer.dtype.bits = 0 : offer.dtype.lanes = 0);
      return;
    case 4:
      GiveDims(offer);
      MakeVersioned(offer, static_cast<uint32_t>(random.Between(2, 3)));
      offer.strides_kind = StridesKind::kNull;
      return;
    case 5:
      GiveDims(offer);
      offer.null_shape = 1;
      return;
    default:
      GiveDims(offer);
      offer.negative_metadata = 1;
      for (int d = 0; d < offer.dims; ++d) offer.shape[d] = random.OneIn(2) ? int64_t{1} << 33 : int64_t{1} << 62;
  }
}

}  // namespace

Recipe DrawImport(Random& random, int index, Tier tier, const Limits& limits) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  DrawLegal(random, index, limits, recipe.offer());
  if (tier == Tier::kEdge) {
    MakeEdge(random, recipe.offer());
    const std::span<int64_t> strides(recipe.offer().strides, recipe.offer().dims);
    if (!limits.negative) std::ranges::replace_if(strides, [](int64_t stride) { return stride < 0; }, 1);
  }
  if (tier == Tier::kHostile) MakeHostile(random, recipe.offer());
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

}  // namespace dlpack_cts
