// worker/probe/limit_changes.cc: the table of the changes, and how a recipe is given each.
#include "worker/probe/limit_changes.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "harness/case/case.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/layout.h"
#include "worker/probe/combined_changes.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kMostAligned = 8;  // log2 of 256 bytes, which dlpack.h names
constexpr uint64_t kOffset = 256;

/// A keyword that a library may refuse, with a value that asks for nothing, or for what every library has.
struct Keyword {
  Side side;
  std::string_view value;
  Argument Call::* argument;
  Argument given;
  Claim needs;  // of imports; exports are asked without a claim
};
constexpr Argument kNoValue = {ArgumentKind::kNone, {}, 0, 0};
constexpr Argument kYes = {ArgumentKind::kTrue, {}, 0, 0};
constexpr Argument kNo = {ArgumentKind::kFalse, {}, 0, 0};
constexpr Argument kHost = {ArgumentKind::kPair, {}, abi::kDLCPU, 0};
constexpr Keyword kKeywords[] = {
    {Side::kExport, "stream=None", &Call::stream, kNoValue, Claim::kProducer},
    {Side::kExport, "max_version=None", &Call::max_version, kNoValue, Claim::kProducer},
    {Side::kExport, "max_version=(1, 3)", &Call::max_version, kNewestVersion, Claim::kProducer},
    {Side::kExport, "dl_device=None", &Call::dl_device, kNoValue, Claim::kProducer},
    {Side::kExport, "dl_device=(1, 0)", &Call::dl_device, kHost, Claim::kProducer},
    {Side::kExport, "copy=None", &Call::copy, kNoValue, Claim::kProducer},
    {Side::kExport, "copy=False", &Call::copy, kNo, Claim::kProducer},
    {Side::kExport, "copy=True", &Call::copy, kYes, Claim::kProducer},
    {Side::kImport, "device=None", &Call::dl_device, kNoValue, Claim::kDeviceKeyword},
    {Side::kImport, "device=(1, 0)", &Call::dl_device, kHost, Claim::kDeviceKeyword},
    {Side::kImport, "copy=None", &Call::copy, kNoValue, Claim::kCopyKeyword},
    {Side::kImport, "copy=False", &Call::copy, kNo, Claim::kCopyKeyword},
    {Side::kImport, "copy=True", &Call::copy, kYes, Claim::kCopyKeyword},
};

/// Sets the keyword of the call. False if the control passes it too.
bool SetKeyword(const Keyword& keyword, Call& call) {
  if (call.*keyword.argument == keyword.given) return false;
  call.*keyword.argument = keyword.given;
  return true;
}

std::vector<Change> Listed() {
  constexpr std::string_view kLayoutNames[kLayouts] = {"compact",  "permuted",  "fortran",     "stepped",
                                                       "negative", "broadcast", "overlapping", "mixed"};
  std::vector<Change> list;
  const auto add = [&](Changed property, int number, std::string id, std::string value, std::string words) {
    words += " " + value;
    list.push_back({property, number, std::move(id), std::move(value), std::move(words)});
  };
  for (int dims = 0; dims <= kWalkedDims; ++dims) {
    add(Changed::kDims, dims, "dims", std::to_string(dims), "with ndim");
  }
  for (const int dims : {16, 32, kDims}) add(Changed::kDims, dims, "dims", std::to_string(dims), "with ndim");
  for (int i = 0; i < static_cast<int>(DataTypes().size()); ++i) {
    add(Changed::kDtype, i, "dtype", std::string(DataTypes()[static_cast<size_t>(i)].name), "of dtype");
  }
  for (int layout = 1; layout < kLayouts; ++layout) {
    add(Changed::kLayout, layout, "layout", std::string(kLayoutNames[layout]), "whose layout is");
  }
  add(Changed::kUnitExtent, 1, "extent", "1", "with an extent of");
  constexpr int kMostExtents = 6;
  for (int extent = 1; extent <= kMostExtents; ++extent) {
    add(Changed::kLastExtent, extent, "last-extent", std::to_string(extent), "whose last extent is");
  }
  add(Changed::kSize, 0, "size", "empty", "whose shape is");
  add(Changed::kStrides, 0, "strides", "NULL", "whose strides are");
  add(Changed::kOffset, 0, "byte-offset", std::to_string(kOffset), "with byte_offset");
  add(Changed::kReadOnly, 0, "memory", "read-only", "whose memory is");
  for (int log2 = 0; log2 < kMostAligned; ++log2) {
    add(Changed::kAlignment, log2, "alignment", std::to_string(1 << log2), "with an address whose alignment is");
  }
  add(Changed::kStruct, static_cast<int>(StructKind::kLegacy), "struct", "legacy", "whose struct is");
  add(Changed::kStruct, static_cast<int>(StructKind::kVersioned), "struct", "versioned", "whose struct is");
  for (int i = 0; i < static_cast<int>(std::size(kKeywords)); ++i) {
    add(Changed::kKeyword, i, "keyword", std::string(kKeywords[i].value), "when it is called with");
  }
  return list;
}

Draw From(const Profile& profile) { return Draw{Random(0), 0, profile}; }

}  // namespace

std::span<const Change> AllChanges() {
  static const std::vector<Change> changes = Listed();
  return changes;
}

void SetRank(int dims, Offer& offer) {
  SetPlainShape(dims, offer.shape);
  offer.dims = static_cast<uint8_t>(dims);
  offer.ndim = dims;
}

void SetRank(int dims, Request& request) {
  SetPlainShape(dims, request.shape);
  request.dims = static_cast<uint8_t>(dims);
}

bool IsDeclared(const Change& change, Side side, const Profile& profile) {
  const Declared& declared = profile.declared;
  switch (change.property) {
    case Changed::kDims:
      return declared.ranks != 0 && (change.number > kWalkedDims || !declared.MayHaveRank(change.number));
    case Changed::kLayout: {
      const auto layout = static_cast<Layout>(change.number);
      const bool negative = layout == Layout::kNegative || layout == Layout::kMixed;
      const uint32_t layouts = side == Side::kImport ? declared.imported_layouts : declared.made_layouts;
      return (layouts != 0 && ((layouts >> change.number) & 1u) == 0) || (negative && profile.survives_negative == 0);
    }
    case Changed::kDtype:
      return !declared.MayHaveType(change.number);
    case Changed::kLastExtent:
      return declared.last_extents != 0 && ((declared.last_extents >> change.number) & 1u) == 0;
    case Changed::kAlignment:
      return change.number < declared.alignment_log2;
    case Changed::kKeyword: {
      const Keyword& keyword = kKeywords[change.number];
      return keyword.side != side || !profile.Claims(Claim::kPython) || !profile.Claims(keyword.needs);
    }
    case Changed::kEmptyDims:
    case Changed::kEmptyRows:
    case Changed::kCopyOf:
    case Changed::kKeywordAlone:
      return IsDeclaredTogether(change, side, profile);
    default:
      return false;
  }
}

bool StridesOf(int layout, int dims, int64_t* strides) {
  struct Sample {
    Layout layout;
    int64_t one;  // in one dimension; 0: no such layout, except for kBroadcast
    int64_t two[2];
  };
  constexpr Sample kSamples[] = {
      {Layout::kCompact, 1, {3, 1}},     {Layout::kPermuted, 0, {1, 2}},    {Layout::kFortran, 0, {1, 2}},
      {Layout::kStepped, 2, {7, 2}},     {Layout::kNegative, -1, {-3, -1}}, {Layout::kBroadcast, 0, {0, 1}},
      {Layout::kOverlapping, 0, {1, 1}}, {Layout::kMixed, -2, {-2, 5}},
  };
  static_assert(std::size(kSamples) == kLayouts);
  const Sample& sample = kSamples[layout];
  if (dims == 2) std::copy_n(sample.two, 2, strides);
  if (dims == 1) strides[0] = sample.one;
  return dims == 2 || (dims == 1 && (sample.one != 0 || sample.layout == Layout::kBroadcast));
}

namespace {

/// Of a matrix, so that the extent is not the last one: (1, 3) instead of (2, 3).
template <typename Tensor>
bool SetUnitExtent(int dims, Tensor& tensor, Tensor& control) {
  SetRank(dims, tensor);
  SetRank(dims, control);
  tensor.shape[0] = 1;
  return dims == 2;
}

template <typename Tensor>
bool SetLastExtent(int dims, int extent, Tensor& tensor, Tensor& control) {
  SetRank(dims, tensor);
  SetRank(dims, control);
  if (dims == 0 || tensor.shape[dims - 1] == extent) return false;
  tensor.shape[dims - 1] = extent;
  return true;
}

}  // namespace

bool ChangeOffer(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control) {
  Offer& offer = recipe.offer();
  switch (change.property) {
    case Changed::kDims:
      SetRank(change.number, offer);
      return change.number != profile.plain_rank;
    case Changed::kDtype: {
      const NamedDataType& type = DataTypes()[static_cast<size_t>(change.number)];
      // A type exists since a minor version. The control declares the same version.
      if (offer.kind == StructKind::kLegacy && type.since > 0) return false;
      if (offer.kind == StructKind::kVersioned) {
        offer.minor = control.offer().minor = std::max(offer.minor, type.since);
      }
      offer.dtype = type.dtype;
      return change.number != profile.plain_dtype;
    }
    case Changed::kLayout:
      SetRank(From(profile).Rank(2), offer);
      SetRank(From(profile).Rank(2), control.offer());
      offer.strides_kind = control.offer().strides_kind = StridesKind::kExplicit;
      CompactStrides(offer.shape, offer.dims, control.offer().strides);
      return StridesOf(change.number, offer.dims, offer.strides);
    case Changed::kUnitExtent:
      return SetUnitExtent(From(profile).Rank(2), offer, control.offer());
    case Changed::kLastExtent:
      return SetLastExtent(std::max<int>(profile.plain_rank, 1), change.number, offer, control.offer());
    case Changed::kSize:
      SetRank(From(profile).Rank(std::max<int>(profile.plain_rank, 1)), offer);
      SetRank(From(profile).Rank(std::max<int>(profile.plain_rank, 1)), control.offer());
      offer.shape[0] = 0;
      offer.placement = Placement::kNull;
      return offer.dims != 0;
    case Changed::kStrides:
      offer.strides_kind = StridesKind::kNull;
      control.offer().strides_kind = StridesKind::kCompact;
      return MayHaveNullStrides(offer);
    case Changed::kOffset:
      offer.byte_offset = kOffset;
      return true;
    case Changed::kReadOnly:
      offer.flags = abi::kFlagReadOnly;
      return offer.kind == StructKind::kVersioned;
    case Changed::kAlignment:
      offer.alignment_log2 = static_cast<uint8_t>(change.number);
      return change.number >= std::max(NaturalAlignmentLog2(offer.dtype), 0);
    case Changed::kStruct:
      recipe = From(profile).PlainImport(static_cast<StructKind>(change.number));
      return change.number != static_cast<int>(control.offer().kind);
    case Changed::kKeyword:
      return SetKeyword(kKeywords[change.number], recipe.call());
    default:
      return CombineOffer(change, profile, recipe, control);
  }
}

bool ChangeRequest(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control) {
  Request& request = recipe.request();
  switch (change.property) {
    case Changed::kDims:
      SetRank(change.number, request);
      return change.number != profile.made_rank;
    case Changed::kDtype: {
      const NamedDataType& type = DataTypes()[static_cast<size_t>(change.number)];
      request.dtype = type.dtype;
      return change.number != profile.made_dtype && (type.since == 0 || profile.takes_keywords != 0);
    }
    case Changed::kLayout:
      SetRank(From(profile).MadeRank(2), request);
      SetRank(From(profile).MadeRank(2), control.request());
      request.making = Making::kView;
      request.strides_kind = StridesKind::kExplicit;
      return StridesOf(change.number, request.dims, request.strides);
    case Changed::kUnitExtent:
      return SetUnitExtent(From(profile).MadeRank(2), request, control.request());
    case Changed::kLastExtent:
      return SetLastExtent(std::max<int>(profile.made_rank, 1), change.number, request, control.request());
    case Changed::kSize:
      SetRank(From(profile).MadeRank(std::max<int>(profile.made_rank, 1)), request);
      SetRank(From(profile).MadeRank(std::max<int>(profile.made_rank, 1)), control.request());
      request.shape[0] = 0;
      return request.dims != 0;
    case Changed::kReadOnly:
      // A legacy struct cannot say that memory is read-only.
      request.read_only = 1;
      return profile.made_read_only == 0 && profile.takes_keywords != 0 && profile.Claims(Claim::kReadOnly);
    case Changed::kKeyword:
      return SetKeyword(kKeywords[change.number], recipe.call());
    case Changed::kEmptyDims:
    case Changed::kEmptyRows:
    case Changed::kCopyOf:
    case Changed::kKeywordAlone:
      return CombineRequest(change, profile, recipe, control);
    default:
      return false;
  }
}

}  // namespace dlpack_cts::worker
