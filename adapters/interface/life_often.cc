// adapters/interface/life_often.cc: exports that come and go many times, with the memory that stays.
#include <algorithm>
#include <chrono>
#include <thread>

#include "adapters/interface/exported_tensor.h"
#include "adapters/interface/life_run.h"
#include "adapters/interface/memory_use.h"
#include "adapters/interface/table_allocation.h"

namespace dlpack_cts {
namespace {

// Enough that what one export keeps stands out from what a library's own tables grow by, and is there twice.
constexpr int kTimes = 96;
constexpr int kFirstTimes = 32;  // fill what the library keeps for the next time
constexpr int kLooks = 4;        // before something is said to stay: what comes and goes does not come each time
// Less than a managed tensor of no dimension: half a deleter shows too.
constexpr int64_t kLeastBytes = 40;
constexpr int64_t kLeastObjects = kTimes * 3 / 4;
// So many arrays may be on their way: freed a moment later, or kept for the next one.
constexpr int64_t kInFlight = 8;
constexpr int64_t kBesideElements = 1024;
// A function of the table has nothing of its own on the way: what it keeps may be as little as two extents, and shows
// where it is called several times for each array.
constexpr int kCallsOfTable = 8;
constexpr int64_t kLeastBytesOfTable = 24;
// Pages come and go for other reasons.
constexpr int64_t kLeastResident = 2048;

Often OftenOf(const Step& step) { return static_cast<Often>(step.argument % static_cast<int>(Often::kCount)); }

}  // namespace

/// Makes one more array of the request, and lets it go, with or without an export that outlives it. False where the
/// library does not do that now.
bool LifeRun::ExportOnce(const Step& step, std::span<const uint8_t> backing, bool exports) {
  const int slot = step.slot;
  Subject& owner = *sources_[SourceOf(step)].owner;
  Refusal refusal{};
  Handle array = owner.exporter().Make(request(SourceOf(step)), backing, refusal);
  if (array == nullptr) return false;
  const Often often = OftenOf(step);
  if (exports && often >= Often::kTableExport) {
    bool served = true;
    for (int i = 0; i < kCallsOfTable && served; ++i) served = UseTableOnce(step, often, array);
    owner.Drop(array);
    return served;
  }
  if (exports) owner.exporter().Export(array, recipe_.call(step.call), slot, ledger_);
  owner.Drop(array);
  if (!exports) return true;
  void* managed = owner.exporter().ExportedStruct(slot);
  const bool versioned = exported(slot).versioned != 0;
  const bool deletes = managed != nullptr && often == Often::kDeleted;
  if (deletes) owner.exporter().TakeCapsule(slot);
  owner.exporter().LoseCapsule(slot);
  if (deletes) CallDeleter(managed, versioned);
  (void)owner.runtime().ForgetException();
  return managed != nullptr;
}

/// The same with a function of the table. The record of the call is discarded.
bool LifeRun::UseTableOnce(const Step& step, Often often, Handle array) {
  const int from = SourceOf(step);
  Subject& owner = *sources_[from].owner;
  TableLedger table = ledger_.tables[from];
  Refusal refusal{};
  if (table.found == 0) return false;
  if (often == Often::kTableView) {
    abi::DLTensor view;
    return owner.table()->View(array, &view, table, refusal);
  }
  abi::DLManagedTensorVersioned* const tensor =
      often == Often::kTableExport ? owner.table()->Export(array, table, refusal)
                                   : AllocateByTable(owner, request(from), Prototype::kGood, table, refusal);
  if (tensor != nullptr) CallDeleter(tensor, true);
  return tensor != nullptr;
}

void LifeRun::ExportOften(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  SourceLedger& record = ledger_.sources[from];
  const bool exported_once = slots_[slot].out.managed != nullptr;
  if (sources_[from].owner == nullptr || sources_[from].array != nullptr || !exported_once) return;
  if (slots_[slot].out.taken) Delete({.op = Op::kDelete, .slot = step.slot});
  LoseCapsule({.op = Op::kLoseCapsule, .slot = step.slot});
  Subject& owner = *sources_[from].owner;
  // Where the export keeps the array object, its life shows at once that something keeps it. That it died says nothing
  // of the struct, or of memory beside.
  if (record.alive_known != 0 && record.outlived != Answer::kNo) {
    owner.Collect();
    if (owner.exporter().WatchedIsAlive(from)) return;
  }
  const std::span<const uint8_t> backing = BackingOf(from);
  const ExportLedger kept = exported(slot);
  bool goes_on = true;
  bool exact = false;
  const auto use = [&owner, &exact] {
    owner.Collect();
    if (exact) GiveFreePagesBack();
    MemoryUse now = MemoryInUse();
    now.objects = owner.runtime().LiveObjects();
    return now;
  };
  const auto grown = [&](int rounds, bool exports) {
    const MemoryUse start = use();
    for (int round = 0; round < rounds && goes_on; ++round) goes_on = ExportOnce(step, backing, exports);
    return use() - start;
  };
  if (effort_ == Effort::kToken) {
    record.counted = ExportOnce(step, backing, true) ? 1 : 0;
    exported(slot) = kept;
    return;
  }
  const auto bytes = static_cast<int64_t>(backing.size());
  const Often often = OftenOf(step);
  const bool by_table = often >= Often::kTableExport;
  const int64_t calls = by_table ? kCallsOfTable : 1;
  const int64_t least = by_table ? kLeastBytesOfTable : kLeastBytes;
  const int64_t in_flight = often == Often::kTableAllocate ? calls * bytes : bytes;
  const int64_t heap = std::max(least * kTimes * calls, kInFlight * (in_flight + kBesideElements));
  const int64_t resident = std::max(kLeastResident, in_flight / 2) * kTimes;
  grown(kFirstTimes, true);
  MemoryUse stays = grown(kTimes, true);
  const auto keeps = [&] {
    return goes_on && (stays.heap >= heap || stays.resident >= resident || stays.objects >= kLeastObjects);
  };
  if (keeps()) {
    // Pages that an allocator keeps for reuse would look like a leak.
    exact = true;
    // Memory that arrays leak without an export is not caused by the export.
    const MemoryUse arrays = grown(kTimes, false).Most({});
    stays = stays - arrays;
    for (int look = 0; look < kLooks && keeps(); ++look) {
      // A library may release on a thread of its own, a moment later.
      if (look == 1) subject_.runtime().Waiting([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
      stays = stays.Least(grown(kTimes, true) - arrays);
    }
  }
  exported(slot) = kept;
  if (!goes_on) return;
  record.counted = 1;
  if (stays.heap >= heap) record.kept_bytes = stays.heap / (kTimes * calls);
  if (stays.resident >= resident) record.kept_bytes = std::max(record.kept_bytes, stays.resident / (kTimes * calls));
  const int64_t rounds = kTimes * calls;
  if (stays.objects >= kLeastObjects) record.kept_objects = std::max<int64_t>(1, (stays.objects + rounds / 2) / rounds);
}

}  // namespace dlpack_cts
