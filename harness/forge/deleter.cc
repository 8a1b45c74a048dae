// harness/forge/deleter.cc: the deleters of all offers. They count their calls and record the state; they free nothing.
#include <array>
#include <utility>

#include "harness/forge/state.h"
#include "harness/forge/thread.h"

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
  if (slot.data_zone != Zone::kData) {
    arena.Protect(arena.Start(slot.data_zone, index), Arena::Size(slot.data_zone), Access::kNone);
  }
}

constexpr int kAfterwards = 2;  // a phase, as in Forge::SetPhase()

Answer YesOrNo(bool yes) { return yes ? Answer::kYes : Answer::kNo; }

/// The step during which the deleter is called, if that is known.
int32_t StepOf(Ledger& ledger) {
  return ThreadMark::Step() != ThreadMark::kNoStep ? ThreadMark::Step() : ledger.Step();
}

/// Totals of all calls, including those for which the list has no room.
void CountCall(const DeleterCall& call, int phase, DeleterLedger& totals) {
  Count(totals.calls);
  if (phase == 0) Count(totals.calls_in_import);
  if (phase == 1) Count(totals.calls_while_alive);
  if (call.gil == Answer::kNo) Count(totals.without_gil);
  if (call.pending == Answer::kYes) Count(totals.with_pending_exception);
  if (call.thread != ThreadKind::kMaker) Count(totals.on_other_thread);
  if (call.from_destructor != 0) Count(totals.from_destructor);
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

namespace {

/// Records the call. If it releases a tensor, sets `within` to the work for its slot and returns the slot; else returns
/// -1.
int Record(ForgeState& state, const void* self, DeleterCall call, std::function<void(int slot)>& within) {
  const Locked locked(state.lock);
  const int index = SlotAt(state, self);
  if (index < 0) {
    if (state.ledger == nullptr) {
      ++(state.heir != nullptr ? *state.heir : state).late_deletes;
      return -1;
    }
    call.wrong = 1;
    call.step = StepOf(*state.ledger);
    Count(state.ledger->imports[0].deleter.wrong_self);
    state.ledger->Add(call);
    return -1;
  }
  Slot& slot = state.slots[index];
  call.slot = static_cast<uint8_t>(index);
  if (slot.maker == ThisThread()) call.thread = ThreadKind::kMaker;
  call.step = StepOf(*slot.ledger);
  ImportLedger& record = slot.ledger->imports[index];
  const bool shared = !slot.released && --slot.handed > 0;
  CountCall(call, shared ? kAfterwards : slot.phase, record.deleter);
  slot.ledger->Add(call);
  if (slot.released || shared) return -1;
  CheckDamage(state, slot, record);
  slot.released = true;
  if (state.seal) Seal(state, index, slot);
  if (!state.within) return -1;
  ++state.running_within;
  within = state.within;
  return index;
}

}  // namespace

void Deleted(ForgeState& state, const void* self, bool from_destructor) {
  // The probes call the interpreter, so they run before the lock is taken.
  DeleterCall call{};
  if (state.probe.holds_gil != nullptr) call.gil = YesOrNo(state.probe.holds_gil() != 0);
  if (state.probe.has_pending_exception != nullptr) call.pending = YesOrNo(state.probe.has_pending_exception() != 0);
  call.lane = ThreadMark::Lane();
  call.thread = ThreadMark::IsMarked() ? ThreadKind::kHarness : ThreadKind::kForeign;
  call.from_destructor = from_destructor;
  std::function<void(int slot)> within;
  const int released = Record(state, self, call, within);
  if (released < 0) return;
  within(released);
  --state.running_within;
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
