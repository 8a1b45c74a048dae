// harness/recipe/normalize.cc: changes any bytes into a recipe that the forge can build.
//
// A value that is in range does not change. All values are handled in one fixed order, so a second call changes
// nothing.
#include "harness/recipe/normalize.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/enum_words.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

static_assert(std::has_unique_object_representations_v<Recipe>, "blocks are compared byte by byte");

constexpr int64_t kMaxItem = 257;          // bytes of an element: lanes are reduced to fit; 257 does not fit 8 bits
constexpr int32_t kMaxNdim = 1000;         // declared ndim of an offer that is not invalid
constexpr uint64_t kMaxOffset = 8 * 1024;  // largest byte_offset of data near element 0
// byte_offset of Placement::kFarOffset: above kMaxOffset and below kFar + kFarRange; other values are moved above kFar.
constexpr uint64_t kFar = uint64_t{4} << 30;
constexpr uint64_t kFarRange = uint64_t{64} << 20;
constexpr int64_t kReserve = 4096;         // for the alignment of element 0
constexpr int64_t kMaxRequestOffset = 64;  // elements before the lowest one

template <typename Enum>
void Fold(Enum& value) {
  using Number = std::underlying_type_t<Enum>;
  constexpr size_t kCount = kEnumerators<Enum>;
  if (static_cast<size_t>(value) >= kCount) value = static_cast<Enum>(static_cast<Number>(value) % kCount);
}

void FoldBool(uint8_t& value) { value &= 1u; }

void FoldNonNegative(int64_t& value) {
  if (value < 0) value = -(value + 1);
}

/// Reduces the lanes of an element that is too large for several elements in memory.
void FoldLanes(abi::DLDataType& dtype) {
  if (ItemSize(dtype) > kMaxItem) dtype.lanes = static_cast<uint16_t>(std::max<int64_t>(1, kMaxItem * 8 / dtype.bits));
}

/// Reduces extents so that their product is at most `room` elements. Zeros stay; no other extent becomes zero.
void FoldExtents(int64_t* shape, int dims, int64_t room) {
  for (int d = 0; d < dims; ++d) {
    if (shape[d] > room) shape[d] = 1 + shape[d] % room;
    if (shape[d] > 1) room /= shape[d];
  }
}

/// Reduces strides so that the span is at most `room` elements. Extents below `least` count as `least`; with 1, the
/// strides of dimensions of extent 1 stay.
void FoldStrides(const int64_t* shape, int64_t* strides, int dims, int64_t room, int64_t least) {
  auto budget = static_cast<uint64_t>(room - 1);
  for (int d = 0; d < dims; ++d) {
    const auto steps = static_cast<uint64_t>(std::max(shape[d], least) - 1);
    if (steps == 0) continue;
    const bool negative = strides[d] < 0;
    uint64_t size = negative ? uint64_t{0} - static_cast<uint64_t>(strides[d]) : static_cast<uint64_t>(strides[d]);
    const uint64_t most = budget / steps;
    if (size > most) size %= most + 1;
    budget -= size * steps;
    strides[d] = negative ? -static_cast<int64_t>(size) : static_cast<int64_t>(size);
  }
}

/// Clears the entries that the number of dimensions and the kind of strides leave unused.
void FoldUnread(int64_t* shape, int64_t* strides, int dims, StridesKind kind) {
  std::fill(shape + dims, shape + kDims, 0);
  const int kept = kind == StridesKind::kExplicit ? dims : 0;
  std::fill(strides + kept, strides + kDims, 0);
}

bool IsNear(Placement placement) {
  return placement == Placement::kEndsAtGuard || placement == Placement::kStartsAtGuard ||
         placement == Placement::kReadOnlyPage || placement == Placement::kDevice;
}

void FoldArgument(Argument& argument) {
  Fold(argument.kind);
  std::memset(argument.reserved, 0, sizeof(argument.reserved));
  const ArgumentKind kind = UsualKind(argument.kind);
  const bool two = kind == ArgumentKind::kPair || kind == ArgumentKind::kList || kind == ArgumentKind::kFloats ||
                   kind == ArgumentKind::kBools;
  const bool one = two || kind == ArgumentKind::kInt || kind == ArgumentKind::kOneTuple;
  if (!one) argument.a = 0;
  if (!two) argument.b = 0;
}

void FoldTable(ForgedTable& table) {
  Fold(table.attribute);
  if (table.attribute == TableAttribute::kNone) {
    table = {};
    return;
  }
  table.chain_length = static_cast<uint8_t>(table.chain_length % (ForgedTable::kChain + 1));
  std::fill(table.chain + table.chain_length, table.chain + ForgedTable::kChain, abi::DLPackVersion{});
  table.reserved = 0;
}

void FoldStep(Step& step, const UsedBlocks& used) {
  step.slot = static_cast<uint8_t>(step.slot % kSlots);
  Fold(step.other);
  const uint8_t blocks = UsesOffer(step.op) ? used.offers : UsesRequest(step.op) ? used.requests : uint8_t{1};
  step.block = static_cast<uint8_t>(step.block % blocks);
  step.call = static_cast<uint8_t>(step.call % used.calls);
  Fold(step.actor);
  step.lane = static_cast<uint8_t>(step.lane % kLanes);
  FoldBool(step.barrier);
  Fold(step.context);
  step.stream = static_cast<uint8_t>(step.stream % kStreams);
  std::memset(step.reserved, 0, sizeof(step.reserved));
  if (step.argument < 0) step.argument = -(step.argument + 1);
  if (const auto values = static_cast<int32_t>(RowOf(step.op).arguments.size()); values != 0) step.argument %= values;
}

void FoldLife(Recipe& recipe) {
  uint8_t taken = 0;
  for (Step& step : recipe.life()) {
    Fold(step.op);
    if (step.op == Op::kEnd) break;
    FoldStep(step, recipe.used);
    ++taken;
  }
  recipe.used.steps = taken;
}

/// 1..kBlocks; a value in range stays.
void FoldCount(uint8_t& used) {
  if (used == 0 || used > kBlocks) used = static_cast<uint8_t>(used % kBlocks + 1);
}

}  // namespace

void NormalizeHeader(Recipe& recipe) {
  recipe.magic = kRecipeMagic;
  recipe.format = kRecipeFormat;
  Fold(recipe.kind);
  FoldCount(recipe.used.offers);
  FoldCount(recipe.used.requests);
  FoldCount(recipe.used.calls);
  if (recipe.used.steps > kSteps) recipe.used.steps = kSteps;
  if (recipe.rounds == 0 || recipe.rounds > kRounds) recipe.rounds = static_cast<uint16_t>(recipe.rounds % kRounds + 1);
  std::memset(recipe.reserved, 0, sizeof(recipe.reserved));
  FoldTable(recipe.table);
}

void Normalize(Offer& offer) {
  Fold(offer.kind);
  Fold(offer.place);
  Fold(offer.placement);
  Fold(offer.strides_kind);
  Fold(offer.deleter);
  Fold(offer.context);
  Fold(offer.destructor);
  Fold(offer.name);
  Fold(offer.keywords.max_version);
  Fold(offer.keywords.dl_device);
  Fold(offer.keywords.copy);
  Fold(offer.keywords.stream);
  Fold(offer.gives);
  offer.alignment_log2 = static_cast<uint8_t>(offer.alignment_log2 % 13);
  offer.dims = static_cast<uint8_t>(offer.dims % (kDims + 1));
  FoldBool(offer.null_shape);
  FoldBool(offer.negative_metadata);
  FoldBool(offer.seal_on_delete);
  FoldBool(offer.large);
  if (!IsNear(offer.placement)) offer.large = 0;
  std::memset(offer.reserved, 0, sizeof(offer.reserved));
  FoldUnread(offer.shape, offer.strides, offer.dims, offer.strides_kind);
  if (offer.negative_metadata != 0) return;

  offer.ndim = std::clamp<int32_t>(offer.ndim, offer.dims, kMaxNdim);
  for (int d = 0; d < offer.dims; ++d) FoldNonNegative(offer.shape[d]);
  const bool empty = ElementCount(offer.shape, offer.dims) == 0;
  FoldNonNegative(offer.fill_extent);
  if (offer.ndim == offer.dims || !empty) offer.fill_extent = 1;
  const bool far = offer.byte_offset > kMaxOffset && offer.byte_offset < kFar + kFarRange;
  if (offer.placement == Placement::kFarOffset && !far) offer.byte_offset = kFar + offer.byte_offset % kFarRange;
  const bool backed = IsNear(offer.placement) || offer.placement == Placement::kFarOffset;
  if (!backed || empty || offer.place == StructPlace::kBodyUnmapped || ItemSize(offer.dtype) == 0) return;

  FoldLanes(offer.dtype);
  if (IsNear(offer.placement) && offer.byte_offset > kMaxOffset) offer.byte_offset %= kMaxOffset + 1;
  const int64_t offset = IsNear(offer.placement) ? static_cast<int64_t>(offer.byte_offset) : 0;
  const auto capacity = static_cast<int64_t>(CapacityOf(offer.large != 0));
  const int64_t room = (capacity - kReserve - offset) / ItemSize(offer.dtype);
  FoldExtents(offer.shape, offer.dims, room);
  if (offer.strides_kind == StridesKind::kExplicit) FoldStrides(offer.shape, offer.strides, offer.dims, room, 1);
}

void Normalize(Request& request) {
  Fold(request.making);
  Fold(request.strides_kind);
  if (request.strides_kind == StridesKind::kNull) request.strides_kind = StridesKind::kCompact;
  Fold(request.oddity);
  FoldBool(request.read_only);
  request.dims = static_cast<uint8_t>(request.dims % (kDims + 1));
  FoldBool(request.large);
  std::memset(request.reserved, 0, sizeof(request.reserved));
  if (request.device.device_type == 0) request.device = {abi::kDLCPU, 0};
  if (ItemSize(request.dtype) == 0) request.dtype = {abi::kDLFloat, 32, 1};
  FoldLanes(request.dtype);
  FoldUnread(request.shape, request.strides, request.dims, request.strides_kind);

  const int64_t item = ItemSize(request.dtype);
  const auto capacity = static_cast<int64_t>(CapacityOf(request.large != 0));
  const int64_t room = (capacity - kReserve) / item - kMaxRequestOffset;
  for (int d = 0; d < request.dims; ++d) FoldNonNegative(request.shape[d]);
  FoldExtents(request.shape, request.dims, room);
  if (request.strides_kind == StridesKind::kExplicit) {
    FoldStrides(request.shape, request.strides, request.dims, room, 2);
  }
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  const int64_t least = -ElementSpan(request.shape, strides, request.dims).lowest;
  if (request.offset < least || request.offset > least + kMaxRequestOffset) request.offset = least;
}

void Normalize(Call& call) {
  FoldArgument(call.max_version);
  FoldArgument(call.dl_device);
  FoldArgument(call.copy);
  FoldArgument(call.stream);
  FoldBool(call.unknown_keyword);
  FoldBool(call.fresh_names);
  call.order %= kKeywordOrders;
  std::memset(call.reserved, 0, sizeof(call.reserved));
}

void Normalize(Recipe& recipe) {
  NormalizeHeader(recipe);
  for (int i = 0; i < recipe.used.offers; ++i) Normalize(recipe.offers[i]);
  for (int i = 0; i < recipe.used.requests; ++i) Normalize(recipe.requests[i]);
  for (int i = 0; i < recipe.used.calls; ++i) Normalize(recipe.calls[i]);
  FoldLife(recipe);
}

int SpareSlot(const Recipe& recipe) {
  const std::span<const Step> life = recipe.life();
  for (int slot = kSlots - 1; slot > 0; --slot) {
    const auto names = [slot](const Step& step) { return step.slot == slot || OtherSlot(step) == slot; };
    if (std::none_of(life.begin(), life.end(), names)) return slot;
  }
  return -1;
}

}  // namespace dlpack_cts
