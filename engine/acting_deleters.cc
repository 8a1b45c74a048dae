// engine/acting_deleters.cc: imports another tensor inside a deleter or a producer, or on a thread that a deleter waits
// for.
#include "engine/acting_deleters.h"

#include <chrono>
#include <utility>

#include "harness/forge/thread.h"
#include "harness/recipe/life.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

/// How long a deleter waits for another thread. An import takes microseconds unless the library blocks it.
constexpr auto kMoment = std::chrono::milliseconds(50);

}  // namespace

void ActingDeleters::Begin() {
  for (int i = 0; i < life_.recipe.used.offers; ++i) acts_ = acts_ || Acts(life_.recipe.offers[i].deleter);
  if (acts_) life_.forge.SetWithin([this](int slot) { Within(slot); });
}

void ActingDeleters::Within(int slot) {
  const DeleterKind kind = life_.offer(slot).deleter;
  if (kind == DeleterKind::kDropsAnother) return DropAnother(slot);
  const int spare = SpareSlot(life_.recipe);
  if (!Acts(kind) || aside_ || life_.lanes || spare < 0 || ImportOf(life_.recipe, slot) == nullptr) return;
  aside_ = std::make_unique<Ledger>();
  Runtime& runtime = life_.slots[slot].owner->runtime();
  runtime.Aside([&] {
    if (kind == DeleterKind::kReenters) return TakeAnother(slot, spare);
    meeting_ = &life_.threads.Start([this, &runtime, slot, spare] {
      const ThreadMark mark(1);
      runtime.Attach();
      TakeAnother(slot, spare);
      runtime.Detach();
      const std::lock_guard lock(meets_);
      met_ = true;
      changed_.notify_one();
    });
    runtime.Waiting([this] {
      std::unique_lock lock(meets_);
      changed_.wait_for(lock, kMoment, [this] { return met_; });
    });
  });
}

void ActingDeleters::DropAnother(int slot) {
  if (aside_ || life_.lanes) return;
  for (int other = 0; other < kSlots; ++other) {
    LifeState::Slot& held = life_.slots[other];
    if (other == slot || held.array == nullptr) continue;
    aside_ = std::make_unique<Ledger>();
    Handle array = std::exchange(held.array, nullptr);
    life_.forge.SetPhase(other, 2);
    held.owner->runtime().Aside([&] { held.owner->Drop(array); });
    life_.ledger.Add(Seen::kDropped, other);
    return;
  }
}

bool ActingDeleters::TakeInExport(int slot) {
  const int spare = SpareSlot(life_.recipe);
  if (aside_ || life_.lanes || spare < 0 || ImportOf(life_.recipe, slot) == nullptr) return false;
  aside_ = std::make_unique<Ledger>();
  TakeAnother(slot, spare);
  return IsComparable(slot);
}

bool ActingDeleters::IsComparable(int slot) const { return ImportOf(life_.recipe, slot)->op != Op::kImportByTable; }

void ActingDeleters::TakeAnother(int slot, int spare) {
  const LifeState::Slot& held = life_.slots[slot];
  const Call& call = life_.recipe.call(ImportOf(life_.recipe, slot)->call);
  Offer another = life_.offer(slot);
  another.deleter = DeleterKind::kCounting;
  another.gives = Gives::kCapsule;
  Importer& importer = held.owner->importer();
  const Offered made = life_.forge.Make(another, spare, *aside_);
  Handle array = importer.Import(another, call, spare, made, held.bare, *aside_);
  if (array != nullptr) held.owner->Drop(array);
  importer.DropProducer(spare);
  importer.DropCapsule(spare);
  if (aside_->imports[spare].capsules != 0) life_.spare = spare;
  // If the import of the first tensor is about to be refused, a refusal of the second one shows nothing.
  const bool takes = life_.seen().imports[slot].import.outcome == Outcome::kAccepted;
  if (IsComparable(slot) && (array != nullptr || takes)) {
    life_.import(slot).taken_within = array != nullptr ? Answer::kYes : Answer::kNo;
  }
}

void ActingDeleters::Await() {
  if (!acts_) return;
  life_.producer.runtime().Waiting([this] {
    life_.forge.AwaitWithin();
    if (meeting_ != nullptr) life_.threads.Wait(*meeting_);
  });
  meeting_ = nullptr;
}

void ActingDeleters::End() {
  life_.forge.SetWithin({});
  Await();
}

}  // namespace dlpack_cts
