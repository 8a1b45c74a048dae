// adapters/interface/life_within.cc: deleters that do more than count: the library is called again while it waits for
// one.
#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "adapters/interface/life_run.h"
#include "harness/forge/thread.h"

namespace dlpack_cts {
namespace {

/// A library that is not in the way needs some microseconds.
constexpr auto kMoment = std::chrono::milliseconds(50);

/// The step that imports into the slot through from_dlpack, or NULL.
const Step* ImportOf(const Recipe& recipe, int slot) {
  const std::span<const Step> life = recipe.life();
  const auto found = std::find_if(life.begin(), life.end(), [slot](const Step& step) {
    return step.slot == slot && (step.op == Op::kImport || step.op == Op::kImportCapsule);
  });
  return found == life.end() ? nullptr : &*found;
}

}  // namespace

void LifeRun::Within(int slot) {
  const DeleterKind kind = offer(slot).deleter;
  const int spare = SpareSlot(recipe_);
  if (!Acts(kind) || aside_ || lanes_ || spare < 0 || ImportOf(recipe_, slot) == nullptr) return;
  aside_ = std::make_unique<Ledger>();
  Subject& owner = *slots_[slot].owner;
  owner.runtime().Aside([&] {
    if (kind == DeleterKind::kReenters) return TakeAnother(slot, spare);
    meeting_ = &threads_.Start([this, &owner, slot, spare] {
      const ThreadMark mark(1);
      owner.runtime().Attach();
      TakeAnother(slot, spare);
      owner.runtime().Detach();
      met_ = true;
    });
    owner.runtime().Waiting([this] {
      const auto latest = std::chrono::steady_clock::now() + kMoment;
      while (!met_ && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
    });
  });
}

/// The library imports a tensor like that of the slot, in the same way, and drops what it made of it.
void LifeRun::TakeAnother(int slot, int spare) {
  const Step& step = *ImportOf(recipe_, slot);
  Offer another = offer(slot);
  another.deleter = DeleterKind::kCounting;
  Subject& owner = *slots_[slot].owner;
  const Offered made = forge_.Make(another, spare, *aside_);
  Handle array = owner.importer().Import(another, recipe_.call(step.call), spare, made, slots_[slot].bare, *aside_);
  if (array != nullptr) owner.Drop(array);
  owner.importer().DropProducer(spare);
  owner.importer().DropCapsule(spare);
  if (aside_->imports[spare].capsules != 0) spare_ = spare;
  // If the import of the first tensor is about to be refused, a refusal of the second one shows nothing.
  const bool takes = seen().imports[slot].import.outcome == Outcome::kAccepted;
  if (array != nullptr || takes) import(slot).taken_within = array != nullptr ? Answer::kYes : Answer::kNo;
}

void LifeRun::EndWithin() {
  if (!acts_) return;
  subject_.runtime().Waiting([this] {
    forge_.AwaitWithin();
    if (meeting_ != nullptr) threads_.Wait(*meeting_);
  });
  meeting_ = nullptr;
}

}  // namespace dlpack_cts
