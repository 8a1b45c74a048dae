// harness/forge/forge.cc: the public functions of the forge: slots, phases, single elements, reset.
#include "harness/forge/forge.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "harness/forge/state.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace forge {

const void* ThisThread() {
  static thread_local char identity;
  return &identity;
}

void SpinLock::Lock() {
  const void* expected = nullptr;
  while (!holder_.compare_exchange_weak(expected, ThisThread(), std::memory_order_acquire)) {
    expected = nullptr;
    std::this_thread::yield();
  }
}

int64_t PositionOf(const Slot& slot, int64_t index) {
  const int64_t count = ElementCount(slot.extents, slot.dims);
  if (!slot.reach.backed || count <= 0) return -1;
  int64_t left = (index % count + count) % count;
  int64_t position = -slot.reach.lowest;
  for (int d = slot.dims - 1; d >= 0; --d) {
    position += left % slot.extents[d] * slot.effective[d];
    left /= slot.extents[d];
  }
  return position;
}

}  // namespace forge

using forge::Access;
using forge::Locked;
using forge::Slot;

namespace {

/// The bytes of one element.
struct Place {
  int64_t at;  // in bytes from the start of the slot's memory
  size_t size;
};

Place PlaceOf(const Slot& slot, int64_t position) {
  if (slot.packed == 0) return {position * slot.item, static_cast<size_t>(slot.item)};
  const int64_t first = forge::BitOf(slot, position);
  return {first / 8, static_cast<size_t>((first + slot.packed - 1) / 8 - first / 8 + 1)};
}

/// Copies one element between the slot's memory and `bits`.
void GetElement(const Slot& slot, int64_t position, const uint8_t* place, uint8_t* bits) {
  if (slot.packed == 0) {
    std::memcpy(bits, place, static_cast<size_t>(slot.item));
  } else {
    *bits = BitsAt(place, forge::BitOf(slot, position) % 8, slot.packed);
  }
}

bool HoldsElement(const Slot& slot, int64_t position, const uint8_t* place, const uint8_t* bits) {
  if (slot.packed == 0) return std::memcmp(place, bits, static_cast<size_t>(slot.item)) == 0;
  return BitsAt(place, forge::BitOf(slot, position) % 8, slot.packed) == *bits;
}

void PutElement(const Slot& slot, int64_t position, uint8_t* place, const uint8_t* bits) {
  if (slot.packed == 0) {
    std::memcpy(place, bits, static_cast<size_t>(slot.item));
  } else {
    SetBitsAt(place, forge::BitOf(slot, position) % 8, slot.packed, *bits);
  }
}

/// Whether a conforming destructor would find a deleter. The library may have cleared the field.
bool StructHasDeleter(const forge::ForgeState& state, const Slot& slot) {
  const size_t at = slot.kind == StructKind::kVersioned ? offsetof(abi::DLManagedTensorVersioned, deleter)
                                                        : offsetof(abi::DLManagedTensor, deleter);
  const uint8_t* const field = slot.structure + at;
  if (!state.arena.Allows(reinterpret_cast<uint64_t>(field), sizeof(void*), Access::kRead)) return true;
  const void* deleter;
  std::memcpy(&deleter, field, sizeof(deleter));
  return deleter != nullptr;
}

bool IsFree(const forge::ForgeState& state, int slot, int home) {
  const int owner = state.owner[home];
  return owner < 0 || owner == slot || state.slots[owner].released;
}

/// The struct area for a new offer of `slot`: area `wanted`, or the slot's own, or any other without an unreleased
/// tensor. There is always one: three other slots use at most three of the four areas.
int FreeHome(const forge::ForgeState& state, int slot, int wanted) {
  if (IsFree(state, slot, wanted)) return wanted;
  int home = slot;
  for (int other = 0; !IsFree(state, slot, home) && other < kSlots; ++other) home = other;
  return home;
}

/// Makes every page accessible again and forgets all slots.
void Clear(forge::ForgeState& state) {
  const Locked locked(state.lock);
  state.arena.Restore();
  for (Slot& slot : state.slots) {
    slot.live = false;
    forge::FreeShadow(slot);
  }
  std::fill(std::begin(state.owner), std::end(state.owner), -1);
  state.ledger = nullptr;
}

/// The library still owns a tensor of this state, and may release it during a later exchange. So that the call is not
/// taken for one of that exchange, which may have a tensor at the same address, other memory takes over.
forge::ForgeState* SucceedTo(forge::ForgeState* left) {
  forge::ForgeState* const heir = forge::TakeState();
  Clear(*heir);
  {
    // Nothing stays behind for the next forge that gets this memory.
    const Locked locked(left->lock);
    heir->seal = std::exchange(left->seal, false);
    heir->memory = std::exchange(left->memory, nullptr);
    heir->stands_in = std::exchange(left->stands_in, false);
    heir->probe = std::exchange(left->probe, {});
    heir->within = std::exchange(left->within, nullptr);
    left->heir = heir;
  }
  forge::GiveBackState(left);
  return heir;
}

}  // namespace

Forge::Forge() : state_(forge::TakeState()) { Reset(); }

Forge::~Forge() {
  SetThreadProbe({});
  SetWithin({});
  SealOnDelete(false);
  SetDeviceMemory(nullptr);
  state_->stands_in = false;
  Reset();
  forge::GiveBackState(state_);
}

Offered Forge::Make(const Offer& offer, int slot, Ledger& ledger) {
  Offered made{};
  {
    const Locked locked(state_->lock);
    made = forge::MakeOffer(*state_, offer, slot, FreeHome(*state_, slot, slot), ledger);
  }
  forge::FillDevice(state_->slots[slot]);
  made.forge = this;
  return made;
}

Offered Forge::MakeInPlaceOf(const Offer& offer, int slot, int of, Ledger& ledger) {
  Offered made{};
  {
    const Locked locked(state_->lock);
    const Slot& old = state_->slots[of];
    made = forge::MakeOffer(*state_, offer, slot, FreeHome(*state_, slot, old.live ? old.home : of), ledger);
  }
  forge::FillDevice(state_->slots[slot]);
  made.forge = this;
  return made;
}

void Forge::ReleaseFromDestructor(const void* managed) {
  forge::ForgeState* const state = forge::StateAround(reinterpret_cast<uint64_t>(managed));
  if (state == nullptr) return;
  {
    const Locked locked(state->lock);
    const int index = forge::SlotAt(*state, managed);
    if (index < 0 || !state->slots[index].has_deleter || !StructHasDeleter(*state, state->slots[index])) return;
  }
  forge::Deleted(*state, managed, true);
}

void Forge::SetDeviceMemory(DeviceMemory* memory) {
  const Locked locked(state_->lock);
  state_->memory = memory;
}

void Forge::StandInForDevices() {
  const Locked locked(state_->lock);
  state_->stands_in = true;
}

bool Forge::StandsIn() const { return state_->stands_in; }

bool Forge::IsOnDevice(int slot) const {
  const Slot& made = state_->slots[slot];
  return made.live && (made.memory != nullptr || (state_->stands_in && made.placement == Placement::kDevice));
}

std::pair<uint64_t, uint64_t> Forge::ElementBytes(int slot) const {
  return {state_->slots[slot].plan.begin, state_->slots[slot].plan.end};
}

void Forge::SealOnDelete(bool seal) {
  const Locked locked(state_->lock);
  state_->seal = seal;
}

const abi::DLPackExchangeAPI* Forge::MakeTable(int slot, abi::DLPackExchangeAPI table,
                                               std::vector<abi::DLPackExchangeAPI> older) {
  const Locked locked(state_->lock);
  forge::Arena& arena = state_->arena;
  uint8_t* const end = arena.End(forge::Zone::kTable, slot);
  const bool readable = table.header.version.major == 1;
  uint8_t* const at = end - (readable ? sizeof(table) : sizeof(table.header));
  auto* const chain = reinterpret_cast<abi::DLPackExchangeAPI*>(at) - older.size();
  uint8_t* const page = end - forge::kPage;
  arena.Protect(page, forge::kPage, Access::kReadWrite);
  if (!readable) arena.Protect(end, forge::kPage, Access::kReadWrite);
  for (size_t i = 0; i < older.size(); ++i) {
    (i == 0 ? table : older[i - 1]).header.prev_api = &chain[i].header;
  }
  if (!older.empty()) std::memcpy(chain, older.data(), older.size() * sizeof(table));
  // A library that ignores the header finds functions after it; the fault was recorded before that.
  std::memcpy(at, &table, sizeof(table));
  arena.Protect(page, forge::kPage, Access::kRead);
  if (!readable) arena.Protect(end, forge::kPage, Access::kNone);
  return reinterpret_cast<const abi::DLPackExchangeAPI*>(at);
}

void* Forge::Inaccessible(int slot) const {
  return state_->arena.Start(forge::Zone::kTableGuard, slot) + forge::kPage / 2;
}

void Forge::MakeView(int slot, abi::DLTensor* view) {
  const Locked locked(state_->lock);
  const Slot& made = state_->slots[slot];
  uint8_t* const start = state_->arena.Start(forge::Zone::kView, slot);
  state_->arena.Protect(start, forge::kPage, Access::kReadWrite);
  const size_t at = made.kind == StructKind::kVersioned ? offsetof(abi::DLManagedTensorVersioned, dl_tensor) : 0;
  std::memcpy(view, made.image + at, sizeof(*view));
  auto* const shape = reinterpret_cast<int64_t*>(start);
  std::copy_n(made.shape_image, std::min(made.entries, kDims), shape);
  std::copy_n(made.strides_image, std::min(made.entries, kDims), shape + kDims);
  if (view->shape != nullptr) view->shape = shape;
  if (view->strides != nullptr) view->strides = shape + kDims;
}

void Forge::EndView(int slot) {
  const Locked locked(state_->lock);
  state_->arena.Protect(state_->arena.Start(forge::Zone::kView, slot), forge::kPage, Access::kNone);
}

uint64_t Forge::FirstElement(int slot) const { return state_->slots[slot].plan.element0; }

void Forge::WriteElement(int slot, int64_t index, uint64_t salt, uint8_t* bits) {
  Slot& made = state_->slots[slot];
  Place place{};
  {
    const Locked locked(state_->lock);
    const int64_t position = forge::PositionOf(made, index);
    if (!made.live || position < 0) {
      std::memset(bits, 0, static_cast<size_t>(made.item));
      return;
    }
    place = PlaceOf(made, position);
    uint8_t* const shadow = made.shadow + place.at;
    // A dtype with few values, such as bool, may need another salt before the element changes.
    for (uint64_t attempt = 0; attempt < 64; ++attempt) {
      ElementBits(made.dtype, made.seed ^ ((salt + attempt * 0x632BE59BD9B4E019u) * 0xD6E8FEB86659FD93u | 1), position,
                  bits);
      if (!HoldsElement(made, position, shadow, bits)) break;
    }
    PutElement(made, position, shadow, bits);
    if (made.memory == nullptr) {
      if (made.sealed) return;
      uint8_t* const element = reinterpret_cast<uint8_t*>(made.plan.begin) + place.at;
      const bool closed = !state_->arena.Allows(reinterpret_cast<uint64_t>(element), place.size, Access::kReadWrite);
      if (closed) state_->arena.Protect(element, place.size, Access::kReadWrite);
      PutElement(made, position, element, bits);
      if (closed) state_->arena.Protect(element, place.size, Access::kRead);
      return;
    }
  }
  made.memory->ToDevice(made.device, made.plan.begin + static_cast<uint64_t>(place.at), made.shadow + place.at,
                        place.size);
}

void Forge::ReadElement(int slot, int64_t index, uint8_t* bits) const {
  const Slot& made = state_->slots[slot];
  int64_t position = 0;
  Place place{};
  {
    const Locked locked(state_->lock);
    position = forge::PositionOf(made, index);
    if (!made.live || position < 0) {
      std::memset(bits, 0, static_cast<size_t>(made.item));
      return;
    }
    place = PlaceOf(made, position);
    if (made.memory == nullptr) {
      const uint8_t* const memory = made.sealed ? made.shadow : reinterpret_cast<const uint8_t*>(made.plan.begin);
      return GetElement(made, position, memory + place.at, bits);
    }
  }
  std::vector<uint8_t> bytes(place.size);
  if (made.memory->FromDevice(made.device, bytes.data(), made.plan.begin + static_cast<uint64_t>(place.at),
                              bytes.size())) {
    GetElement(made, position, bytes.data(), bits);
  } else {
    GetElement(made, position, made.shadow + place.at, bits);
  }
}

void Forge::ExpectWrite(int slot, int64_t index) {
  const Locked locked(state_->lock);
  Slot& made = state_->slots[slot];
  const int64_t position = forge::PositionOf(made, index);
  if (!made.live || position < 0 || made.expected_write_count == kSteps) return;
  made.expected_writes[made.expected_write_count++] = position;
}

void Forge::CheckUnchanged(int slot) {
  Slot& made = state_->slots[slot];
  const std::optional<forge::DeviceContent> on_device = forge::ContentOnDevice(made);
  const Locked locked(state_->lock);
  if (!made.live) return;
  forge::CheckDamage(*state_, made, made.ledger->imports[slot]);
  if (on_device) forge::CheckDeviceDamage(made, *on_device, made.ledger->imports[slot]);
}

void Forge::SetPhase(int slot, int phase) {
  const Locked locked(state_->lock);
  state_->slots[slot].phase = phase;
}

void Forge::Share(int slot) {
  const Locked locked(state_->lock);
  ++state_->slots[slot].handed;
}

bool Forge::Released(int slot) const {
  const Locked locked(state_->lock);
  return state_->slots[slot].live && state_->slots[slot].released;
}

bool Forge::HasDeleter(int slot) const { return state_->slots[slot].live && state_->slots[slot].has_deleter; }

void Forge::InstallFaultHandler() { forge::InstallHandlers(); }

void Forge::SetWithin(std::function<void(int slot)> within) {
  const Locked locked(state_->lock);
  state_->within = std::move(within);
}

void Forge::AwaitWithin() const {
  while (state_->running_within != 0) std::this_thread::yield();
}

void Forge::SetThreadProbe(ThreadProbe probe) { state_->probe = probe; }

void Forge::Reset() {
  const auto owed = [](const Slot& slot) { return slot.live && slot.has_deleter && !slot.released; };
  bool left = false;
  {
    const Locked locked(state_->lock);
    left = std::ranges::any_of(state_->slots, owed);
  }
  Clear(*state_);
  if (left) state_ = SucceedTo(state_);
}

int64_t Forge::LateDeletes() const { return state_->late_deletes; }

}  // namespace dlpack_cts
