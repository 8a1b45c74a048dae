// engine/releases.cc: collects garbage and waits for late releases.
#include "engine/releases.h"

#include <chrono>
#include <thread>

#include "harness/oracle/oracle.h"

namespace dlpack_cts {
namespace {

constexpr std::chrono::microseconds kFirstPause{200};
constexpr std::chrono::microseconds kLastPause{51200};  // a tenth of a second, all pauses together

}  // namespace

void Releases::Collect(const Step&) {
  // If everything is released there is nothing to collect.
  if (!Settled()) CollectAll();
  if (HoldsNothing()) AwaitLate();
}

void Releases::CollectAll() {
  life_.producer.Collect();
  if (life_.IsPair()) life_.consumer.Collect();
}

bool Releases::IsTaken(int slot) const {
  return life_.slots[slot].offered && life_.seen().imports[slot].capsules != 0 && !life_.forge.Released(slot);
}

bool Releases::Settled() const {
  for (int slot = 0; slot < kSlots; ++slot) {
    if (IsTaken(slot)) return false;
  }
  return !OwesArrays() && (life_.spare < 0 || life_.forge.Released(life_.spare));
}

bool Releases::OwesTensors() const {
  for (int slot = 0; slot < kSlots; ++slot) {
    if (!IsTaken(slot)) continue;
    const ImportLedger& record = life_.seen().imports[slot];
    const bool accepted = record.import.outcome == Outcome::kAccepted || record.again.outcome == Outcome::kAccepted;
    if (accepted ? life_.forge.HasDeleter(slot) : SomebodyHadToRelease(life_.offer(slot), record)) return true;
  }
  return life_.spare >= 0 && !life_.forge.Released(life_.spare);
}

bool Releases::OwesArrays() const {
  for (int slot = 0; slot < kSlots; ++slot) {
    const bool known = life_.seen().sources[slot].alive_known;
    if (known && life_.sources[slot].owner->exporter().WatchedIsAlive(slot)) return true;
  }
  return false;
}

bool Releases::HoldsNothing() const {
  for (int slot = 0; slot < kSlots; ++slot) {
    const LifeState::Slot& held = life_.slots[slot];
    if (held.array != nullptr || life_.sources[slot].array != nullptr || life_.HasCapsule(slot)) return false;
    if (held.offered && (!held.capsule_dropped || !held.producer_dropped)) return false;
  }
  return true;
}

void Releases::AwaitLate() {
  if (life_.producer.AsReference() != nullptr && life_.consumer.AsReference() != nullptr) return;
  Patience& patience = life_.patience;
  bool tensors = patience.tensors != 0 && OwesTensors();
  bool arrays = patience.arrays != 0 && OwesArrays();
  for (auto pause = kFirstPause; (tensors || arrays) && pause <= kLastPause; pause *= 2) {
    life_.producer.runtime().Waiting([pause] { std::this_thread::sleep_for(pause); });
    CollectAll();
    if (tensors && !OwesTensors()) {
      tensors = false;
      patience.tensors = kOnceLate;
    }
    if (arrays && !OwesArrays()) {
      arrays = false;
      patience.arrays = kOnceLate;
    }
  }
  patience.tensors -= tensors ? 1 : 0;
  patience.arrays -= arrays ? 1 : 0;
}

}  // namespace dlpack_cts
