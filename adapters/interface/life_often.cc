// adapters/interface/life_often.cc: exports that come and go many times, with the memory that stays.
#include <algorithm>
#include <chrono>
#include <thread>

#include "adapters/interface/exported_tensor.h"
#include "adapters/interface/life_run.h"
#include "adapters/interface/memory_use.h"

namespace dlpack_cts {
namespace {

// Enough that what one export keeps stands out from what a library's own tables grow by, and is there twice.
constexpr int kTimes = 96;
constexpr int kFirstTimes = 32;  // fill what the library keeps for the next time
// Less than a managed tensor of no dimension: half a deleter shows too.
constexpr int64_t kLeastBytes = 40;
constexpr int64_t kLeastObjects = kTimes * 3 / 4;
// So many arrays may be on their way: freed a moment later, or kept for the next one.
constexpr int64_t kInFlight = 8;
constexpr int64_t kBesideElements = 1024;
// Pages come and go for other reasons.
constexpr int64_t kLeastResident = 2048;

}  // namespace

/// Makes one more array of the request, and lets it go, with or without an export that outlives it. False where the
/// library does not do that now.
bool LifeRun::ExportOnce(const Step& step, std::span<const uint8_t> backing, bool exports) {
  const int slot = step.slot;
  Subject& owner = *sources_[SourceOf(step)].owner;
  Refusal refusal{};
  Handle array = owner.Make(request(SourceOf(step)), backing, refusal);
  if (array == nullptr) return false;
  if (exports) owner.Export(array, recipe_.call(step.call), slot, ledger_);
  owner.Drop(array);
  if (!exports) return true;
  void* managed = owner.ExportedStruct(slot);
  const bool versioned = exported(slot).versioned != 0;
  const bool deletes = managed != nullptr && step.argument == 0;
  if (deletes) owner.TakeCapsule(slot);
  owner.LoseCapsule(slot);
  if (deletes) CallDeleter(managed, versioned);
  return managed != nullptr;
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
  if (record.alive_known != 0 && record.outlived != 2) {
    owner.Collect();
    if (owner.WatchedIsAlive(from)) return;
  }
  const std::span<const uint8_t> backing = BackingOf(from);
  const ExportLedger kept = exported(slot);
  bool goes_on = true;
  const auto use = [&owner] {
    owner.Collect();
    MemoryUse now = MemoryInUse();
    now.objects = owner.LiveObjects();
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
  const int64_t heap = std::max(kLeastBytes * kTimes, kInFlight * (bytes + kBesideElements));
  const int64_t resident = std::max(kLeastResident, bytes / 2) * kTimes;
  grown(kFirstTimes, true);
  MemoryUse stays = grown(kTimes, true);
  const auto keeps = [&] {
    return goes_on && (stays.heap >= heap || stays.resident >= resident || stays.objects >= kLeastObjects);
  };
  if (keeps()) {
    // What stays of arrays that were never exported is no export's.
    const MemoryUse arrays = grown(kTimes, false).Most({});
    stays = stays.Least(grown(kTimes, true)) - arrays;
    if (keeps()) {
      // A library may release on a thread of its own, a moment later.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stays = stays.Least(grown(kTimes, true) - arrays);
    }
  }
  exported(slot) = kept;
  if (!goes_on) return;
  record.counted = 1;
  if (stays.heap >= heap) record.kept_bytes = stays.heap / kTimes;
  if (stays.resident >= resident) record.kept_bytes = std::max(record.kept_bytes, stays.resident / kTimes);
  if (stays.objects >= kLeastObjects) record.kept_objects = (stays.objects + kTimes / 2) / kTimes;
}

}  // namespace dlpack_cts
