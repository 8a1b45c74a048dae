// engine/leak_steps.cc: measures the memory that many exports leave behind, compared with arrays that are not exported.
#include "engine/steps.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "engine/memory_use.h"
#include "engine/table_allocation.h"
#include "harness/recipe/often.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

// So many that a leak of one export exceeds the growth of a library's own tables.
constexpr int kTimes = 96;
constexpr int kFirstTimes = 32;  // fill the caches of the library
constexpr int kLooks = 4;        // measurements before memory counts as leaked: a cache does not grow in each of them
// Less than a DLManagedTensor with ndim 0, so that a leaked struct is found too.
constexpr int64_t kLeastBytes = 40;
constexpr int64_t kLeastObjects = kTimes * 3 / 4;
// So many arrays may be alive for another reason: freed later, or cached.
constexpr int64_t kInFlight = 8;
constexpr int64_t kBesideElements = 1024;
// A function of the table leaks as little as two extents. Several calls for each array make that visible.
constexpr int kCallsOfTable = 8;
constexpr int64_t kLeastBytesOfTable = 24;
// How long a library may take to release on its own thread: for all looks together, since real leaks wait to the end.
constexpr std::chrono::milliseconds kWait{8};
constexpr int kWaits = 12;
// Resident pages change for other reasons.
constexpr int64_t kLeastResident = 2048;

Often OftenOf(const Step& step) { return static_cast<Often>(step.argument % static_cast<int>(Often::kCount)); }

bool IsByTable(const Step& step) { return OftenOf(step) >= Often::kTableExport; }

/// Calls of the measured function in kTimes rounds.
int64_t CallsOf(const Step& step) { return kTimes * (IsByTable(step) ? kCallsOfTable : 1); }

/// From how much on memory counts as leaked, over all rounds together.
MemoryUse LeastOf(const Step& step, int64_t bytes) {
  const int64_t in_flight = OftenOf(step) == Often::kTableAllocate ? kCallsOfTable * bytes : bytes;
  const int64_t least = IsByTable(step) ? kLeastBytesOfTable : kLeastBytes;
  return {.heap = std::max(least * CallsOf(step), kInFlight * (in_flight + kBesideElements)),
          .resident = std::max(kLeastResident, in_flight / 2) * kTimes,
          .objects = kLeastObjects};
}

}  // namespace

bool LeakSteps::ExportOnce(const Step& step, std::span<const uint8_t> backing, bool exports) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  Subject& owner = *life_.sources[from].owner;
  Exporter& exporter = owner.exporter();
  Refusal refusal{};
  Handle array = exporter.Make(life_.request(from), backing, refusal);
  if (array == nullptr) return false;
  if (exports && IsByTable(step)) {
    bool served = true;
    for (int i = 0; i < kCallsOfTable && served; ++i) served = UseTableOnce(step, array);
    owner.Drop(array);
    return served;
  }
  if (exports) exporter.Export(array, life_.recipe.call(step.call), slot, life_.ledger);
  owner.Drop(array);
  if (!exports) return true;
  void* managed = exporter.ExportedStruct(slot);
  const bool versioned = life_.exported(slot).versioned != 0;
  const bool deletes = managed != nullptr && OftenOf(step) == Often::kDeleted;
  if (deletes) exporter.TakeCapsule(slot);
  exporter.LoseCapsule(slot);
  if (deletes) CallDeleter(managed, versioned);
  (void)owner.runtime().ForgetException();
  return managed != nullptr;
}

bool LeakSteps::UseTableOnce(const Step& step, Handle array) {
  const int from = LifeState::SourceOf(step);
  const Often often = OftenOf(step);
  Subject& owner = *life_.sources[from].owner;
  TableLedger table = life_.ledger.tables[from];
  Refusal refusal{};
  if (table.found == 0) return false;
  if (often == Often::kTableView) {
    abi::DLTensor view;
    return owner.table()->View(array, &view, table, refusal);
  }
  abi::DLManagedTensorVersioned* const tensor =
      often == Often::kTableExport ? owner.table()->Export(array, table, refusal)
                                   : AllocateByTable(owner, life_.request(from), Prototype::kGood, table, refusal);
  if (tensor != nullptr) CallDeleter(tensor, true);
  return tensor != nullptr;
}

void LeakSteps::ExportOften(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  SourceLedger& record = life_.ledger.sources[from];
  const bool exported_once = life_.slots[slot].out.managed != nullptr;
  if (source.owner == nullptr || source.array != nullptr || !exported_once) return;
  exports_.End(slot);
  // If the export kept the array object alive, there is a leak, and no measurement is needed. If the object was
  // destroyed, the struct or other memory may still leak.
  if (record.alive_known != 0 && record.outlived != Answer::kNo) {
    source.owner->Collect();
    if (source.owner->exporter().WatchedIsAlive(from)) return;
  }
  const std::span<const uint8_t> backing = elements_.BackingOf(from);
  const ExportLedger kept = life_.exported(slot);
  if (life_.effort != Effort::kFull) {
    record.counted = ExportOnce(step, backing, true) ? 1 : 0;
  } else if (life_.patience.may_measure) {
    Measure(step, backing, record);
  }
  life_.exported(slot) = kept;
}

void LeakSteps::Measure(const Step& step, std::span<const uint8_t> backing, SourceLedger& record) {
  Subject& owner = *life_.sources[LifeState::SourceOf(step)].owner;
  const double latest = Now() + life_.patience.measuring;
  bool goes_on = true;
  bool exact = false;
  const auto use = [&owner, &exact] {
    owner.Collect();
    if (exact) GiveFreePagesBack();
    MemoryUse now = MemoryInUse();
    now.objects = owner.runtime().LiveObjects();
    return now;
  };
  const MemoryUse least = LeastOf(step, static_cast<int64_t>(backing.size()));
  const auto reaches_least = [&least](const MemoryUse& more) {
    return more.heap >= least.heap || more.resident >= least.resident || more.objects >= least.objects;
  };
  int waits = 0;
  const auto grown = [&](int rounds, bool exports) {
    const MemoryUse start = use();
    for (int round = 0; round < rounds && goes_on; ++round) {
      life_.patience.may_measure = Now() < latest;
      goes_on = life_.patience.may_measure && ExportOnce(step, backing, exports);
    }
    MemoryUse more = use() - start;
    // A library may release on its own thread, a moment later.
    for (; exact && exports && waits < kWaits && reaches_least(more); ++waits) {
      life_.producer.runtime().Waiting([] { std::this_thread::sleep_for(kWait); });
      more = use() - start;
    }
    return more;
  };
  grown(kFirstTimes, true);
  MemoryUse stays = grown(kTimes, true);
  const auto keeps = [&] { return goes_on && reaches_least(stays); };
  if (keeps()) {
    // Pages that the allocator keeps for reuse would look like a leak.
    exact = true;
    // Memory that arrays leak without an export is not caused by the export. It may grow at some times only, such as
    // that of a pool, so it is measured again beside each look at the exports.
    MemoryUse exports = stays;
    std::vector<MemoryUse> arrays;
    const auto compare = [&] {
      arrays.push_back(grown(kTimes, false));
      stays = exports - Median(arrays).Most({});
    };
    compare();
    for (int look = 0; look < kLooks && keeps(); ++look) {
      exports = exports.Least(grown(kTimes, true));
      compare();
    }
  }
  if (!goes_on) return;
  record.counted = 1;
  const int64_t calls = CallsOf(step);
  if (stays.heap >= least.heap) record.kept_bytes = stays.heap / calls;
  if (stays.resident >= least.resident) record.kept_bytes = std::max(record.kept_bytes, stays.resident / calls);
  if (stays.objects >= least.objects) {
    record.kept_objects = std::max<int64_t>(1, (stays.objects + calls / 2) / calls);
  }
}

}  // namespace dlpack_cts
