// harness/forge/deleter.cc: the deleters that every offer carries; they count, look around, and free nothing.
#include <array>
#include <utility>

#include "harness/forge/state.h"

namespace dlpack_cts::forge {
namespace {

void Seal(ForgeState& state, int index, Slot& slot) {
  Arena& arena = state.arena;
  slot.sealed = true;
  if (slot.home == index) {
    uint8_t* const start = arena.Start(Zone::kStruct, index);
    arena.Protect(start, static_cast<size_t>(arena.End(Zone::kData, index) - start), Access::kNone);
  } else {
    uint8_t* const start = arena.Start(Zone::kShape, index);
    arena.Protect(start, static_cast<size_t>(arena.End(Zone::kData, index) - start), Access::kNone);
    arena.Protect(arena.Start(Zone::kStruct, slot.home), 2 * kPage, Access::kNone);
  }
  if (slot.placement == Placement::kFarOffset) {
    arena.Protect(arena.Start(Zone::kFarData, index), kDataBytes, Access::kNone);
  }
}

template <size_t kNumber>
void DeleteLegacy(abi::DLManagedTensor* self) {
  Deleted(StateOf(static_cast<int>(kNumber)), self, false);
}

template <size_t kNumber>
void DeleteVersioned(abi::DLManagedTensorVersioned* self) {
  Deleted(StateOf(static_cast<int>(kNumber)), self, false);
}

template <size_t... kNumbers>
constexpr std::array<LegacyDeleter, sizeof...(kNumbers)> LegacyDeleters(std::index_sequence<kNumbers...>) {
  return {DeleteLegacy<kNumbers>...};
}

template <size_t... kNumbers>
constexpr std::array<VersionedDeleter, sizeof...(kNumbers)> VersionedDeleters(std::index_sequence<kNumbers...>) {
  return {DeleteVersioned<kNumbers>...};
}

}  // namespace

int SlotAt(const ForgeState& state, const void* self) {
  for (const int owner : state.owner) {
    if (owner >= 0 && state.slots[owner].structure == self && state.slots[owner].kind != StructKind::kView)
      return owner;
  }
  return -1;
}

void Deleted(ForgeState& state, const void* self, bool from_destructor) {
  // The probes call into the interpreter, so they come before the lock.
  const bool no_gil = state.probe.holds_gil != nullptr && state.probe.holds_gil() == 0;
  const bool pending = state.probe.has_pending_exception != nullptr && state.probe.has_pending_exception() != 0;
  const Locked locked(state.lock);
  const int index = SlotAt(state, self);
  if (index < 0) {
    if (state.ledger == nullptr) {
      ++state.late_deletes;
      return;
    }
    ++state.ledger->imports[0].deleter.wrong_self;
    state.ledger->Add(Seen::kDeleterCalled, 0, from_destructor ? 1 : 0, 0);
    return;
  }
  Slot& slot = state.slots[index];
  ImportLedger& record = slot.ledger->imports[index];
  DeleterLedger& seen = record.deleter;
  ++seen.calls;
  if (slot.phase == 0) ++seen.calls_in_import;
  if (slot.phase == 1) ++seen.calls_while_alive;
  if (no_gil) ++seen.without_gil;
  if (pending) ++seen.with_pending_exception;
  if (slot.maker != ThisThread()) ++seen.on_other_thread;
  if (from_destructor) ++seen.from_destructor;
  slot.ledger->Add(Seen::kDeleterCalled, index, from_destructor ? 1 : 0, seen.calls);
  if (slot.released) return;
  CheckDamage(state, slot, record);
  slot.released = true;
  if (state.seal) Seal(state, index, slot);
}

LegacyDeleter LegacyDeleterOf(const ForgeState& state) {
  static constexpr auto kDeleters = LegacyDeleters(std::make_index_sequence<Forge::kLiveForges>());
  return kDeleters[static_cast<size_t>(state.number)];
}

VersionedDeleter VersionedDeleterOf(const ForgeState& state) {
  static constexpr auto kDeleters = VersionedDeleters(std::make_index_sequence<Forge::kLiveForges>());
  return kDeleters[static_cast<size_t>(state.number)];
}

}  // namespace dlpack_cts::forge
