// harness/ledger/ledger.h: the ledger: plain data about everything that happened while one recipe ran.
//
// The engine, the forge's deleter and fault handler, and the subject write it; the oracle and cases read it. It is in
// shared memory, so that it survives the process that wrote it. It contains no judgement.
//
// Deleters run on any thread at any time: their entries are reserved and counted atomically. Only the thread that runs
// the steps writes everything else, and it is read after the last step.
#ifndef DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_
#define DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/ledger/record.h"
#include "harness/ledger/record_export.h"
#include "harness/ledger/record_import.h"
#include "harness/ledger/record_table.h"
#include "harness/ledger/timeline.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One block per slot, zero until it is written. Access through a ledger that is not const marks the block as used. So
/// clearing and comparing ledgers takes time only for used blocks.
template <typename T>
class PerSlot {
 public:
  static_assert(kSlots <= 32);

  T& operator[](int slot) {
    const uint32_t bit = 1u << slot;
    const std::atomic_ref<uint32_t> used(used_);
    if ((used.load(std::memory_order_relaxed) & bit) == 0) used.fetch_or(bit, std::memory_order_relaxed);
    return blocks_[slot];
  }
  const T& operator[](int slot) const { return blocks_[slot]; }
  const T* begin() const { return blocks_; }
  const T* end() const { return blocks_ + kSlots; }

  bool Used(int slot) const { return (used_ >> slot & 1u) != 0; }

  void Clear() {
    for (int slot = 0; slot < kSlots; ++slot) {
      if (Used(slot)) std::memset(&blocks_[slot], 0, sizeof(T));
    }
    used_ = 0;
  }

 private:
  uint32_t used_;
  T blocks_[kSlots];
};

/// Increments a counter, atomically.
inline int32_t Count(int32_t& counter) { return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed); }

/// Must be cleared before its first use. Memory that was never a ledger, such as shared memory, must be zero, or wiped
/// first.
struct Ledger {
  Ledger() {
    std::memset(static_cast<void*>(this), 0, sizeof(*this));
    step = -1;
  }

  int32_t step;           // index of the running step; -1 before the first, kSteps after the last
  int32_t event_count;    // may exceed kEvents: later events are only counted
  int32_t fault_count;    // may exceed kFaults
  int32_t deleter_count;  // may exceed kDeleterCalls
  int32_t unsupported;    // 1: the subject cannot run this recipe at all (the Refusal has the reason)
  int32_t reserved;
  PerSlot<ImportLedger> imports;
  PerSlot<ExportLedger> exports;
  PerSlot<SourceLedger> sources;
  PerSlot<TableLedger> tables;
  Fault faults[kFaults];
  DeleterCall deleter_calls[kDeleterCalls];
  Event events[kEvents];

  /// The step that started last. Safe on any thread.
  int32_t Step() { return std::atomic_ref(step).load(std::memory_order_relaxed); }
  void BeginStep(int32_t index) { std::atomic_ref(step).store(index, std::memory_order_relaxed); }

  /// Appends to the timeline. Safe on any thread, and in a signal handler.
  void Add(Seen seen, int slot, int32_t a = 0, int64_t b = 0) { AddAt(Step(), seen, slot, a, b); }
  void AddAt(int32_t during, Seen seen, int slot, int32_t a, int64_t b = 0) {
    const int32_t index = Count(event_count);
    if (index < 0 || index >= kEvents) return;
    events[index] = Event{seen, static_cast<uint8_t>(slot), static_cast<int16_t>(during), a, b};
  }

  /// Records a call of a deleter. Safe on any thread.
  void Add(const DeleterCall& call) {
    const int32_t index = Count(deleter_count);
    if (index >= 0 && index < kDeleterCalls) deleter_calls[index] = call;
    AddAt(call.step, Seen::kDeleterCalled, call.slot, index);
  }
};

static_assert(std::is_trivially_copyable_v<Ledger> && std::is_standard_layout_v<Ledger>);

/// Clears the ledger for the next recipe. Takes time only for what was used since the last call.
inline void Clear(Ledger& ledger) {
  const auto empty = [](auto& list, int32_t count) {
    constexpr size_t kRoom = sizeof(list) / sizeof(list[0]);
    std::memset(list, 0, std::min(static_cast<size_t>(std::max(count, 0)), kRoom) * sizeof(list[0]));
  };
  ledger.imports.Clear();
  ledger.exports.Clear();
  ledger.sources.Clear();
  ledger.tables.Clear();
  empty(ledger.faults, ledger.fault_count);
  empty(ledger.deleter_calls, ledger.deleter_count);
  empty(ledger.events, ledger.event_count);
  ledger.step = -1;
  ledger.event_count = ledger.fault_count = ledger.deleter_count = ledger.unsupported = 0;
}

/// Sets every byte to zero, for memory that a library may have overwritten.
inline void Wipe(Ledger& ledger) { ledger = Ledger(); }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_
