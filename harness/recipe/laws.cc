// harness/recipe/laws.cc: finds the rules for producers that an offer breaks.
#include "harness/recipe/laws.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

/// Whether the number of bytes, without the extents that are 0, does not fit into 63 bits.
bool ProductOverflows(const Offer& offer) {
  int64_t product = std::max<int64_t>(1, ItemSize(offer.dtype));
  for (int d = 0; d < offer.dims; ++d) {
    if (offer.shape[d] > 0 && __builtin_mul_overflow(product, offer.shape[d], &product)) return true;
  }
  return offer.ndim > offer.dims && offer.fill_extent > 1;
}

bool Negative(const Offer& offer) {
  if (offer.ndim < 0 || (offer.ndim > offer.dims && offer.fill_extent < 0)) return true;
  return std::any_of(offer.shape, offer.shape + offer.dims, [](int64_t extent) { return extent < 0; });
}

uint32_t LawsOfData(const Offer& offer) {
  const bool empty = IsEmpty(offer);
  switch (offer.placement) {
    case Placement::kNull:
      return empty ? 0 : kLawData;
    case Placement::kDevice:
      return offer.device.device_type == abi::kDLCPU ? kLawData : 0;
    case Placement::kUnmapped:
    case Placement::kForeignHandle:
      if (empty) return kLawWithheld;
      // A pointer to memory of another device has no meaning here, but it is valid.
      return offer.device.device_type == abi::kDLCPU ? kLawData : 0;
    case Placement::kReadOnlyPage:
      return offer.kind == StructKind::kVersioned && (offer.flags & abi::kFlagReadOnly) != 0 ? 0 : kLawReadOnly;
    case Placement::kFarOffset:
      return kLawFar;
    case Placement::kEndsAtGuard:
    case Placement::kStartsAtGuard:
      return 0;
  }
  return 0;
}

/// Whether a keyword of the protocol is answered with an exception that no signature gives.
bool AnswersBadly(const Keywords& keywords) {
  const Reply answers[] = {keywords.max_version, keywords.dl_device, keywords.copy, keywords.stream};
  return std::find(std::begin(answers), std::end(answers), Reply::kRaises) != std::end(answers);
}

uint32_t LawsOfVersion(const Offer& offer) {
  if (offer.kind != StructKind::kVersioned) return offer.place == StructPlace::kBodyUnmapped ? kLawSealed : 0;
  uint32_t laws = 0;
  if (offer.major != 1) {
    laws |= kLawMajor;
  }
  // Major version 0 was never published, and several consumers take it for 1: its body must be readable.
  if (offer.major < 2 && offer.place == StructPlace::kBodyUnmapped) laws |= kLawSealed;
  uint64_t known = abi::kFlagReadOnly | abi::kFlagIsCopied;
  if (offer.minor >= 1 && offer.dtype.bits < 8) known |= abi::kFlagSubbytePadded;
  if ((offer.flags & ~known) != 0) laws |= kLawFlags;
  return laws;
}

}  // namespace

bool IsEmpty(const Offer& offer) {
  if (offer.ndim > offer.dims && offer.fill_extent == 0) return true;
  return std::any_of(offer.shape, offer.shape + offer.dims, [](int64_t extent) { return extent == 0; });
}

bool IsEmpty(const Request& request) {
  return std::any_of(request.shape, request.shape + request.dims, [](int64_t extent) { return extent == 0; });
}

int NaturalAlignmentLog2(abi::DLDataType dtype) {
  const int64_t bytes = ItemSize({dtype.code, dtype.bits, 1});
  return std::min(4, static_cast<int>(std::bit_width(static_cast<uint64_t>(std::max<int64_t>(1, bytes)))) - 1);
}

bool VersionHasDataType(StructKind kind, uint32_t minor, abi::DLDataType dtype) {
  if (dtype.code <= abi::kDLBool) return true;
  const NamedDataType* const type = TypeOfCode(dtype.code);
  return kind == StructKind::kVersioned && type != nullptr && minor >= type->since;
}

void MendLies(Offer& offer, uint32_t lies) {
  if ((BrokenLaws(offer) & lies & kLawItem) != 0) {
    if (offer.dtype.bits == 0) offer.dtype.bits = 32;
    if (offer.dtype.lanes == 0) offer.dtype.lanes = 1;
  }
  if ((BrokenLaws(offer) & lies & kLawExtents) != 0) {
    offer.negative_metadata = 0;
    Normalize(offer);
    // The product is still too large, and no extent bounds it.
    if ((BrokenLaws(offer) & kLawExtents) != 0) std::fill_n(offer.shape, offer.dims, 1);
  }
  const uint32_t laws = BrokenLaws(offer) & lies;
  if ((laws & (kLawData | kLawReadOnly)) != 0) offer.placement = Placement::kEndsAtGuard;
  if ((laws & kLawStrides) != 0) offer.strides_kind = StridesKind::kCompact;
  if ((laws & kLawShape) != 0) offer.null_shape = 0;
  if ((laws & kLawSealed) != 0) offer.place = StructPlace::kGuarded;
  if ((laws & kLawRelease) != 0) offer.destructor = DestructorKind::kReleases;
}

uint32_t BrokenLaws(const Offer& offer) {
  uint32_t laws = LawsOfData(offer) | LawsOfVersion(offer);
  const bool dimensions = offer.ndim > 0;
  const bool needs_strides = offer.kind == StructKind::kVersioned && offer.major == 1 && offer.minor >= 2;
  if (offer.strides_kind == StridesKind::kNull && dimensions && needs_strides) laws |= kLawStrides;
  if (offer.null_shape != 0 && dimensions) laws |= kLawShape;
  if (offer.negative_metadata != 0 || Negative(offer)) laws |= kLawExtents;
  if (ProductOverflows(offer)) laws |= IsEmpty(offer) ? kLawHuge : kLawExtents;
  if (ItemSize(offer.dtype) == 0) laws |= kLawItem;
  if (offer.name != CapsuleName::kOwn) laws |= kLawName;
  const abi::DLDevice& device = offer.device;
  const abi::DLDevice& reported = offer.reported_device;
  if (device.device_type != abi::kDLCPU || device.device_id != 0 || reported.device_type != abi::kDLCPU ||
      reported.device_id != 0) {
    laws |= kLawDevice;
  }
  if (DataTypeIndex(offer.dtype) < 0 || !VersionHasDataType(offer.kind, offer.minor, offer.dtype)) laws |= kLawDtype;
  if (offer.alignment_log2 < NaturalAlignmentLog2(offer.dtype)) laws |= kLawAlignment;
  if (offer.deleter != DeleterKind::kNull && offer.destructor == DestructorKind::kNone) laws |= kLawRelease;
  if (offer.gives != Gives::kCapsule || AnswersBadly(offer.keywords)) laws |= kLawManners;
  if (offer.ndim > kDims) laws |= kLawNdim;
  return laws;
}

}  // namespace dlpack_cts
