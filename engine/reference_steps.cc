// engine/reference_steps.cc: repeats an exchange, and counts the references that each one leaves.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/clock.h"
#include "engine/steps.h"
#include "harness/recipe/life.h"
#include "harness/recipe/normalize.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

constexpr int kFirstTimes = 8;  // fill the caches of the library
constexpr int kTimes = 32;
constexpr int kManyTimes = 600;  // more than a cache of objects holds
constexpr int kWaits = 20;       // milliseconds, for a library that releases on its own thread

using Part = int32_t ReferenceGrowth::*;
constexpr Part kParts[] = {&ReferenceGrowth::producer, &ReferenceGrowth::type, &ReferenceGrowth::capsule,
                           &ReferenceGrowth::arguments, &ReferenceGrowth::constants};

/// References for each of so many exchanges. What fewer than three in four exchanges leave has another reason.
int32_t ForEach(int32_t count, int rounds) {
  if (std::abs(count) < rounds * 3 / 4) return 0;
  const int32_t half = count < 0 ? -rounds / 2 : rounds / 2;
  return (count + half) / rounds;
}

bool Grows(const ReferenceGrowth& growth) {
  return std::ranges::any_of(kParts, [&](Part part) { return growth.*part != 0; });
}

/// Runs `once`, which returns false to end the measurement, several times, and returns what each time leaves.
template <typename Once>
ReferenceGrowth Measure(Subject& owner, Handle array, double seconds, Once once) {
  ReferenceCounter& counter = *owner.references();
  const double latest = Now() + seconds;
  bool goes_on = true;
  const auto grown = [&](int rounds) {
    counter.BeginCounting(array);
    for (int round = 0; round < rounds && goes_on; ++round) goes_on = once() && Now() < latest;
    owner.Collect();
    ReferenceGrowth growth = counter.EndCounting();
    for (const Part part : kParts) growth.*part = ForEach(growth.*part, rounds);
    return growth;
  };
  grown(kFirstTimes);
  ReferenceGrowth least = grown(kTimes);
  for (const int rounds : {kTimes, kManyTimes}) {
    if (!goes_on || !Grows(least)) break;
    const ReferenceGrowth again = grown(rounds);
    for (const Part part : kParts) {
      const bool same_sign = (least.*part < 0) == (again.*part < 0);
      if (!same_sign) least.*part = 0;
      if (std::abs(again.*part) < std::abs(least.*part)) least.*part = again.*part;
    }
  }
  if (!goes_on) least = {};
  return least;
}

}  // namespace

bool ReferenceSteps::ImportOnce(const Step& step, int spare) {
  const LifeState::Slot& held = life_.slots[step.slot];
  Subject& owner = *held.owner;
  Importer& importer = owner.importer();
  Offer another = life_.offer(step.slot);
  if (Acts(another.deleter)) another.deleter = DeleterKind::kCounting;
  aside_->imports[spare] = {};
  const Offered made = life_.forge.Make(another, spare, *aside_);
  Handle array = importer.Import(another, life_.recipe.call(step.call), spare, made, held.bare, *aside_);
  if (array != nullptr) owner.Drop(array);
  importer.DropProducer(spare);
  importer.DropCapsule(spare);
  (void)owner.runtime().ForgetException();
  if (aside_->imports[spare].capsules == 0 || another.deleter == DeleterKind::kNull) return true;
  for (int wait = 0; wait < kWaits && !life_.forge.Released(spare); ++wait) {
    owner.Collect();
    if (wait == 0) continue;
    owner.runtime().Waiting([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  }
  return life_.forge.Released(spare);
}

void ReferenceSteps::CountImports(const Step& step) {
  const LifeState::Slot& held = life_.slots[step.slot];
  const int spare = SpareSlot(life_.recipe);
  if (!held.offered || life_.lanes || spare < 0 || held.owner->references() == nullptr) return;
  // A tensor that was never released is reported by another fact. The next one would take its memory.
  if (life_.seen().imports[step.slot].capsules > 0 && held.array == nullptr && !life_.forge.Released(step.slot) &&
      life_.offer(step.slot).deleter != DeleterKind::kNull) {
    return;
  }
  aside_ = std::make_unique<Ledger>();
  if (life_.effort == Effort::kToken) {
    life_.import(step.slot).references.rounds = ImportOnce(step, spare) ? 1 : 0;
    return;
  }
  life_.import(step.slot).references =
      Measure(*held.owner, nullptr, life_.patience.measuring, [&] { return ImportOnce(step, spare); });
}

void ReferenceSteps::ExportOnce(const Step& step) {
  const LifeState::Source& source = life_.sources[LifeState::SourceOf(step)];
  Exporter& exporter = source.owner->exporter();
  exporter.Export(source.array, life_.recipe.call(step.call), step.slot, life_.ledger);
  void* const managed = exporter.ExportedStruct(step.slot);
  const bool versioned = life_.exported(step.slot).versioned != 0;
  if (managed != nullptr) {
    exporter.TakeCapsule(step.slot);
    CallDeleter(managed, versioned);
  }
  exporter.LoseCapsule(step.slot);
  (void)source.owner->runtime().ForgetException();
}

void ReferenceSteps::CountExports(const Step& step) {
  const LifeState::Source& source = life_.sources[LifeState::SourceOf(step)];
  if (source.array == nullptr || life_.lanes || source.owner->references() == nullptr) return;
  exports_.End(step.slot);
  const ExportLedger kept = life_.exported(step.slot);
  ReferenceGrowth growth{};
  const auto once = [&] {
    ExportOnce(step);
    return true;
  };
  if (life_.effort == Effort::kToken) {
    growth.rounds = once() ? 1 : 0;
  } else {
    growth = Measure(*source.owner, source.array, life_.patience.measuring, once);
  }
  life_.exported(step.slot) = kept;
  life_.exported(step.slot).references = growth;
}

}  // namespace dlpack_cts
