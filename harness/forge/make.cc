// harness/forge/make.cc: writes the struct, shape, strides, elements and canaries of one offer.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/shortage.h"
#include "harness/forge/state.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts::forge {
namespace {

constexpr char kForeignName[] = "arrow_schema";
constexpr char kLegacyTrailingSpace[] = "dltensor ";
constexpr char kVersionedTrailingSpace[] = "dltensor_versioned ";

size_t StructSize(StructKind kind) {
  switch (kind) {
    case StructKind::kLegacy:
      return sizeof(abi::DLManagedTensor);
    case StructKind::kVersioned:
      return sizeof(abi::DLManagedTensorVersioned);
    case StructKind::kView:
      break;
  }
  return sizeof(abi::DLTensor);
}

size_t TensorOffset(StructKind kind) {
  return kind == StructKind::kVersioned ? offsetof(abi::DLManagedTensorVersioned, dl_tensor) : 0;
}

const char* CapsuleNameOf(const Offer& offer) {
  const bool legacy = offer.kind == StructKind::kLegacy;
  if (offer.kind == StructKind::kView) return nullptr;
  switch (offer.name) {
    case CapsuleName::kOwn:
      return legacy ? abi::kLegacyName : abi::kVersionedName;
    case CapsuleName::kUsed:
      return legacy ? abi::kUsedLegacyName : abi::kUsedVersionedName;
    case CapsuleName::kForeign:
      return kForeignName;
    case CapsuleName::kTrailingSpace:
      return legacy ? kLegacyTrailingSpace : kVersionedTrailingSpace;
    case CapsuleName::kNone:
      break;
  }
  return nullptr;
}

void* ContextOf(const ForgeState& state, const Offer& offer, int slot) {
  switch (offer.context) {
    case ContextKind::kPointer:
      return state.arena.Start(Zone::kContext, slot);
    case ContextKind::kOne:
      return reinterpret_cast<void*>(uint64_t{1});
    case ContextKind::kUnmapped:
      return state.arena.Start(Zone::kContextUnmapped, slot);
    case ContextKind::kNull:
      break;
  }
  return nullptr;
}

/// Writes an array that ends at the end of its zone, with a canary before it. Returns its address.
int64_t* WriteArray(uint8_t* zone_end, const int64_t* image, int entries) {
  const size_t bytes = static_cast<size_t>(entries) * sizeof(int64_t);
  uint8_t* const array = zone_end - bytes;
  std::memcpy(array, image, bytes);
  const size_t room = kMetadataBytes - bytes;
  const size_t canary = std::min<size_t>(kCanaryBytes, room);
  std::memset(array - canary, kCanary, canary);
  return reinterpret_cast<int64_t*>(array);
}

void WriteMetadata(const ForgeState& state, const Offer& offer, int index, Slot& slot) {
  slot.entries = std::clamp(offer.ndim, 0, kMetadataEntries);
  for (int i = 0; i < slot.entries; ++i) {
    slot.shape_image[i] = i < offer.dims ? offer.shape[i] : offer.fill_extent;
    slot.strides_image[i] = i < offer.dims ? slot.effective[i] : 1;
  }
  slot.shape = offer.null_shape != 0 ? nullptr
                                     : WriteArray(state.arena.End(Zone::kShape, index), slot.shape_image, slot.entries);
  slot.strides = offer.strides_kind == StridesKind::kNull
                     ? nullptr
                     : WriteArray(state.arena.End(Zone::kStrides, index), slot.strides_image, slot.entries);
}

[[noreturn]] void NoLargeData() { StopForShortage("the memory for a large tensor cannot be reserved", errno); }

/// Sets the memory for the slot's shadow, whose size is that of the elements.
void PlaceShadow(Slot& slot) {
  FreeShadow(slot);
  slot.shadow = slot.small_shadow;
  const size_t size = slot.plan.end - slot.plan.begin;
  if (size <= sizeof(slot.small_shadow)) return;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) NoLargeData();
  slot.shadow = static_cast<uint8_t*>(memory);
  slot.large_shadow = size;
}

void PlaceData(const ForgeState& state, const Offer& offer, int index, Slot& slot) {
  const auto plan = [&](Zone zone, bool at_start) {
    return PlanData(offer, slot.reach, reinterpret_cast<uint64_t>(state.arena.Start(zone, index)),
                    reinterpret_cast<uint64_t>(state.arena.End(zone, index)), at_start);
  };
  const auto nowhere = [&](uint64_t data) {
    const uint64_t element0 = data + offer.byte_offset;
    slot.reach.backed = false;
    return DataPlan{data, element0, element0, element0, element0, element0};
  };
  slot.data_zone = offer.placement == Placement::kFarOffset ? Zone::kFarData
                   : offer.large != 0                       ? Zone::kLarge
                                                            : Zone::kData;
  switch (offer.placement) {
    case Placement::kEndsAtGuard:
    case Placement::kReadOnlyPage:
    case Placement::kFarOffset:
      slot.plan = plan(slot.data_zone, false);
      break;
    case Placement::kStartsAtGuard:
      slot.plan = plan(slot.data_zone, true);
      break;
    case Placement::kDevice:
      if (state.stands_in) {
        slot.plan = plan(slot.data_zone, false);
        break;
      }
      if (state.memory != nullptr && PlanOnDevice(*state.memory, offer, index, slot)) {
        slot.data_zone = Zone::kData;
        break;
      }
      [[fallthrough]];
    case Placement::kUnmapped:
      slot.plan = nowhere(
          AlignedAbove(reinterpret_cast<uint64_t>(state.arena.Start(Zone::kUnmapped, index)), offer.alignment_log2) -
          offer.byte_offset);
      break;
    case Placement::kNull:
      slot.plan = nowhere(0);
      break;
    case Placement::kForeignHandle:
      slot.plan = nowhere(1);
      break;
  }
}

void WriteElements(Slot& slot) {
  const DataPlan& plan = slot.plan;
  if (plan.canary_begin == plan.canary_end) return;
  const int64_t count = slot.reach.backed ? slot.reach.highest - slot.reach.lowest + 1 : 0;
  if (slot.packed == 0) {
    ElementRun(slot.dtype, slot.seed, 0, 1, count, slot.shadow);
  } else {
    std::memset(slot.shadow, 0, plan.end - plan.begin);
    uint8_t value = 0;
    for (int64_t i = 0; i < count; ++i) {
      ElementBits(slot.dtype, slot.seed, i, &value);
      SetBitsAt(slot.shadow, BitOf(slot, i), slot.packed, value);
    }
  }
  if (slot.memory != nullptr) return;  // FillDevice() copies them
  uint8_t* const begin = reinterpret_cast<uint8_t*>(plan.begin);
  uint8_t* const end = reinterpret_cast<uint8_t*>(plan.end);
  std::memcpy(begin, slot.shadow, plan.end - plan.begin);
  std::memset(reinterpret_cast<uint8_t*>(plan.canary_begin), kCanary, plan.begin - plan.canary_begin);
  std::memset(end, kCanary, plan.canary_end - plan.end);
}

void WriteImage(const ForgeState& state, const Offer& offer, int index, Slot& slot) {
  abi::DLTensor tensor;
  tensor.data = reinterpret_cast<void*>(slot.plan.data);
  tensor.device = offer.device;
  tensor.ndim = offer.ndim;
  tensor.dtype = offer.dtype;
  tensor.shape = slot.shape;
  tensor.strides = slot.strides;
  tensor.byte_offset = offer.byte_offset;
  void* const context = ContextOf(state, offer, index);
  switch (offer.kind) {
    case StructKind::kLegacy: {
      const abi::DLManagedTensor managed = {tensor, context, slot.has_deleter ? LegacyDeleterOf(state) : nullptr};
      std::memcpy(slot.image, &managed, sizeof(managed));
      return;
    }
    case StructKind::kVersioned: {
      const abi::DLManagedTensorVersioned managed = {{offer.major, offer.minor},
                                                     context,
                                                     slot.has_deleter ? VersionedDeleterOf(state) : nullptr,
                                                     offer.flags,
                                                     tensor};
      std::memcpy(slot.image, &managed, sizeof(managed));
      return;
    }
    case StructKind::kView:
      std::memcpy(slot.image, &tensor, sizeof(tensor));
      return;
  }
}

/// Writes the struct, then removes the access that the offer's place and placement exclude.
void WriteStruct(ForgeState& state, const Offer& offer, int index, Slot& slot) {
  Arena& arena = state.arena;
  uint8_t* const page = arena.Start(Zone::kStruct, slot.home);
  uint8_t* const guard = arena.End(Zone::kStruct, slot.home);
  slot.struct_size = StructSize(offer.kind);
  const bool split = offer.place == StructPlace::kBodyUnmapped;
  slot.structure = guard - (split ? abi::kStablePrefix : slot.struct_size);
  if (split) arena.Protect(guard, kPage, Access::kReadWrite);
  std::memcpy(slot.structure, slot.image, slot.struct_size);
  std::memset(slot.structure - kCanaryBytes, kCanary, kCanaryBytes);
  if (split) arena.Protect(guard, kPage, Access::kNone);
  if (offer.place == StructPlace::kReadOnly) {
    arena.Protect(page, kPage, Access::kRead);
    arena.Protect(arena.Start(Zone::kShape, index), kMetadataBytes, Access::kRead);
    arena.Protect(arena.Start(Zone::kStrides, index), kMetadataBytes, Access::kRead);
  }
  if (offer.placement == Placement::kReadOnlyPage) {
    arena.Protect(arena.Start(slot.data_zone, index), Arena::Size(slot.data_zone), Access::kRead);
  }
}

}  // namespace

void FreeShadow(Slot& slot) {
  if (slot.large_shadow != 0) munmap(slot.shadow, slot.large_shadow);
  slot.large_shadow = 0;
}

Offered MakeOffer(ForgeState& state, const Offer& offer, int index, int home, Ledger& ledger) {
  state.arena.Restore(index);
  if (home != index) {
    // The old struct may be sealed or read-only. The rest of the old owner's area stays as it is.
    state.arena.Protect(state.arena.Start(Zone::kStruct, home), kPage, Access::kReadWrite);
    state.arena.Protect(state.arena.Start(Zone::kStructGuard, home), kPage, Access::kNone);
  }
  Slot& slot = state.slots[index];
  if (slot.live && state.owner[slot.home] == index) state.owner[slot.home] = -1;
  slot.live = true;
  slot.released = false;
  slot.handed = 1;
  slot.sealed = false;
  slot.has_deleter = offer.kind != StructKind::kView && offer.deleter != DeleterKind::kNull;
  slot.kind = offer.kind;
  slot.home = home;
  slot.phase = 0;
  slot.maker = ThisThread();
  slot.ledger = &ledger;
  slot.dtype = offer.dtype;
  slot.item = ItemSize(offer.dtype);
  slot.packed = PackedBits(offer);
  slot.seed = SlotSeed(offer.seed, index);
  slot.dims = offer.dims;
  slot.placement = offer.placement;
  slot.memory = nullptr;
  std::copy_n(offer.shape, offer.dims, slot.extents);
  EffectiveStrides(offer, slot.effective);
  slot.reach = ReachOf(offer, slot.effective);
  slot.expected_write_count = 0;
  state.owner[home] = index;
  state.ledger = &ledger;

  WriteMetadata(state, offer, index, slot);
  PlaceData(state, offer, index, slot);
  PlaceShadow(slot);
  if (slot.data_zone == Zone::kLarge && !state.arena.OpenLarge(index)) NoLargeData();
  WriteElements(slot);
  WriteImage(state, offer, index, slot);
  WriteStruct(state, offer, index, slot);

  const bool view = offer.kind == StructKind::kView;
  return {nullptr,
          offer.kind,
          view ? nullptr : slot.structure,
          reinterpret_cast<abi::DLTensor*>(slot.structure + TensorOffset(offer.kind)),
          CapsuleNameOf(offer),
          view                                ? nullptr
          : offer.kind == StructKind::kLegacy ? abi::kUsedLegacyName
                                              : abi::kUsedVersionedName};
}

}  // namespace dlpack_cts::forge
