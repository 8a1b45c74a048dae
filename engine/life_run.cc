// engine/life_run.cc: runs the steps of a life in order, and drops what is left.
#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/enum_words.h"
#include "engine/acting_deleters.h"
#include "engine/steps.h"
#include "harness/forge/thread.h"
#include "harness/recipe/large.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

constexpr int kCollections = 3;

class LifeRun {
 public:
  explicit LifeRun(LifeState& life) : life_(life) {}

  /// Runs every step, then drops what is left.
  void Run();

 private:
  void TakeAll();
  /// Runs a step while the other lanes wait, except during calls that it makes with Lanes::Call().
  void TakeAlone(int index);
  /// Calls the function that runs the step.
  void Take(const Step& step);
  template <auto kPart, auto kFunction>
  static void Do(LifeRun& run, const Step& step);
  void DropEverything();
  void DropSlot(int slot);

  LifeState& life_;
  Elements elements_{life_};
  CudaSteps cuda_{life_, elements_};
  Lanes lanes_{life_, cuda_};
  Releases releases_{life_};
  ActingDeleters deleters_{life_};
  ExportSteps exports_{life_, elements_, cuda_, lanes_};
  ImportSteps imports_{life_, elements_, cuda_, lanes_, exports_, deleters_};
  TableSteps tables_{life_, elements_, lanes_, exports_};
  LeakSteps leaks_{life_, elements_, exports_};
  ReferenceSteps references_{life_, exports_};
  RaceSteps races_{life_, elements_, releases_, exports_};
};

/// One row for each operation: the function that runs it.
struct Taken {
  Op op;
  void (*take)(LifeRun& run, const Step& step);
};

void LifeRun::Run() {
  if (life_.driver != nullptr && life_.driver->IsBroken()) {
    life_.ledger.unsupported = 1;
    return;
  }
  const ThreadMark mark(0);
  const Recipe& recipe = life_.recipe;
  for (int i = 0; i < recipe.used.offers; ++i) {
    if (recipe.offers[i].seal_on_delete != 0) life_.forge.SealOnDelete(true);
  }
  life_.scratch.Fit(HasLargeTensor(recipe));
  deleters_.Begin();
  const bool unlocked =
      HasStep(recipe, [](const Step& step) { return step.op == Op::kDelete && step.context == Context::kRawThread; });
  if (unlocked) life_.producer.runtime().PrepareToWatch(true);
  life_.producer.importer().ForgeTable(recipe.table);
  if (life_.IsPair()) life_.consumer.importer().ForgeTable(recipe.table);
  TakeAll();
  life_.ledger.BeginStep(kSteps);
  DropEverything();
  (void)life_.ForgetException();
  if (unlocked) life_.producer.runtime().PrepareToWatch(false);
  cuda_.Leave();
  life_.scratch.Shrink();
}

void LifeRun::TakeAll() {
  const Recipe& recipe = life_.recipe;
  for (int i = 0; i < recipe.used.steps;) {
    bool lanes = false;
    const int behind = lanes_.Segment(i, &lanes);
    if (lanes) {
      lanes_.Take(i, behind, [this](int index) { TakeAlone(index); });
      i = behind;
    }
    std::optional<Forge::Looking> looking;
    for (; i < behind; ++i) {
      const Step& step = recipe.steps[i];
      const bool looks = HasTrait(step.op, OpTrait::kOnlyLooks);
      if (!looks) looking.reset();
      if (!looking && (looks || step.op == Op::kExport)) looking.emplace();  // Export() renews it
      TakeAlone(i);
      if (life_.ForgetException()) life_.exported(step.slot).left_exception = Answer::kYes;
      deleters_.Await();
    }
  }
}

void LifeRun::TakeAlone(int index) {
  const Step& step = life_.recipe.steps[index];
  if (!IsTaken(step)) return;
  life_.ledger.BeginStep(index);
  life_.ledger.Add(Seen::kStep, step.slot, static_cast<int32_t>(step.op), step.argument);
  Take(step);
}

/// Calls a member function of that part with the step, or with the slot of the step.
template <auto kPart, auto kFunction>
void LifeRun::Do(LifeRun& run, const Step& step) {
  auto& part = run.*kPart;
  if constexpr (std::is_invocable_v<decltype(kFunction), decltype(part), const Step&>) {
    (part.*kFunction)(step);
  } else {
    (part.*kFunction)(step.slot);
  }
}

void LifeRun::Take(const Step& step) {
  static constexpr Taken kTaken[] = {
      {Op::kEnd, nullptr},
      {Op::kImport, Do<&LifeRun::imports_, &ImportSteps::Import>},
      {Op::kImportCapsule, Do<&LifeRun::imports_, &ImportSteps::Import>},
      {Op::kImportAgain, Do<&LifeRun::imports_, &ImportSteps::ImportAgain>},
      {Op::kDescribe, Do<&LifeRun::imports_, &ImportSteps::Describe>},
      {Op::kRead, Do<&LifeRun::imports_, &ImportSteps::Read>},
      {Op::kCompute, Do<&LifeRun::imports_, &ImportSteps::Compute>},
      {Op::kWriteSource, Do<&LifeRun::imports_, &ImportSteps::WriteSource>},
      {Op::kWriteArray, Do<&LifeRun::imports_, &ImportSteps::WriteArray>},
      {Op::kTakeView, Do<&LifeRun::imports_, &ImportSteps::TakeView>},
      {Op::kReexport, Do<&LifeRun::imports_, &ImportSteps::Reexport>},
      {Op::kDropArray, Do<&LifeRun::imports_, &ImportSteps::DropArray>},
      {Op::kDropCapsule, Do<&LifeRun::imports_, &ImportSteps::DropCapsule>},
      {Op::kDropProducer, Do<&LifeRun::imports_, &ImportSteps::DropProducer>},
      {Op::kCollect, Do<&LifeRun::releases_, &Releases::Collect>},
      {Op::kMake, Do<&LifeRun::exports_, &ExportSteps::Make>},
      {Op::kExport, Do<&LifeRun::exports_, &ExportSteps::Export>},
      {Op::kAskDevice, Do<&LifeRun::exports_, &ExportSteps::AskDevice>},
      {Op::kInspect, Do<&LifeRun::exports_, &ExportSteps::Inspect>},
      {Op::kReadExport, Do<&LifeRun::exports_, &ExportSteps::ReadExportOn>},
      {Op::kWriteExport, Do<&LifeRun::exports_, &ExportSteps::WriteExport>},
      {Op::kDropSource, Do<&LifeRun::exports_, &ExportSteps::DropSource>},
      {Op::kChangeMetadata, Do<&LifeRun::exports_, &ExportSteps::ChangeMetadata>},
      {Op::kTakeCapsule, Do<&LifeRun::exports_, &ExportSteps::TakeCapsule>},
      {Op::kDelete, Do<&LifeRun::exports_, &ExportSteps::Delete>},
      {Op::kLoseCapsule, Do<&LifeRun::exports_, &ExportSteps::LoseCapsule>},
      {Op::kReadSource, Do<&LifeRun::exports_, &ExportSteps::ReadSource>},
      {Op::kUseSource, Do<&LifeRun::exports_, &ExportSteps::UseSource>},
      {Op::kImportSource, Do<&LifeRun::imports_, &ImportSteps::ImportSource>},
      {Op::kTableFind, Do<&LifeRun::tables_, &TableSteps::Find>},
      {Op::kTableExport, Do<&LifeRun::tables_, &TableSteps::Export>},
      {Op::kTableImport, Do<&LifeRun::tables_, &TableSteps::Import>},
      {Op::kTableView, Do<&LifeRun::tables_, &TableSteps::View>},
      {Op::kTableAllocate, Do<&LifeRun::tables_, &TableSteps::Allocate>},
      {Op::kTableStream, Do<&LifeRun::tables_, &TableSteps::Stream>},
      {Op::kExportOften, Do<&LifeRun::leaks_, &LeakSteps::ExportOften>},
      {Op::kExportTogether, Do<&LifeRun::races_, &RaceSteps::ExportTogether>},
      {Op::kImportTogether, Do<&LifeRun::races_, &RaceSteps::ImportTogether>},
      {Op::kAskArray, Do<&LifeRun::imports_, &ImportSteps::AskDevice>},
      {Op::kCountImports, Do<&LifeRun::references_, &ReferenceSteps::CountImports>},
      {Op::kCountExports, Do<&LifeRun::references_, &ReferenceSteps::CountExports>},
      {Op::kCloseArray, Do<&LifeRun::imports_, &ImportSteps::CloseArray>},
      {Op::kCloseSource, Do<&LifeRun::exports_, &ExportSteps::CloseSource>},
      {Op::kImportByTable, Do<&LifeRun::imports_, &ImportSteps::Import>},
      {Op::kPeek, Do<&LifeRun::imports_, &ImportSteps::Peek>},
      {Op::kDescribeSource, Do<&LifeRun::exports_, &ExportSteps::DescribeSource>},
      {Op::kWriteMade, Do<&LifeRun::exports_, &ExportSteps::WriteMade>},
  };
  static_assert(std::size(kTaken) == kEnumerators<Op>);
  static_assert(
      std::ranges::all_of(kTaken, [](const Taken& row) { return &row == kTaken + static_cast<size_t>(row.op); }));
  const auto op = static_cast<size_t>(step.op);
  if (op < std::size(kTaken) && kTaken[op].take != nullptr) kTaken[op].take(*this, step);
}

void LifeRun::DropEverything() {
  for (int slot = 0; slot < kSlots; ++slot) DropSlot(slot);
  deleters_.Await();
  for (int slot = 0; slot < kSlots; ++slot) exports_.DropSource({.op = Op::kDropSource, .other = OtherOf(slot)});
  // What one collection releases may hold what the next one releases.
  for (int round = 0; round < kCollections && !releases_.Settled(); ++round) {
    releases_.CollectAll();
    deleters_.Await();
  }
  releases_.AwaitLate();
  deleters_.End();
  for (int slot = 0; slot < kSlots; ++slot) {
    const LifeState::Slot& held = life_.slots[slot];
    if (!held.offered) continue;
    ImportLedger& record = life_.import(slot);
    record.released = life_.forge.Released(slot);
    // A library may keep an object that does not need the tensor.
    const bool owes = record.released == 0 && life_.forge.HasDeleter(slot);
    if (held.watched) {
      const bool stays = owes && held.owner->exporter().WatchedIsAlive(NumberOfImported(slot));
      record.stays = stays ? Answer::kYes : Answer::kNo;
    }
    life_.forge.CheckUnchanged(slot);
  }
  for (int slot = 0; slot < kSlots; ++slot) {
    if (!life_.seen().sources[slot].alive_known) continue;
    Subject& owner = *life_.sources[slot].owner;
    life_.ledger.sources[slot].alive_at_end = owner.exporter().WatchedIsAlive(slot);
    if (life_.ledger.sources[slot].alive_at_end != 0) owner.runtime().WriteOffLeaks();
  }
  life_.producer.EndLife();
  if (life_.IsPair()) life_.consumer.EndLife();
  life_.forge.SealOnDelete(false);
  life_.forge.Reset();
}

void LifeRun::DropSlot(int slot) {
  const auto now = [slot](Op op) { return Step{.op = op, .slot = static_cast<uint8_t>(slot)}; };
  imports_.DropArray(now(Op::kDropArray));
  imports_.DropProducer(now(Op::kDropProducer));
  imports_.DropCapsule(now(Op::kDropCapsule));
  exports_.End(slot);
}

}  // namespace

void RunLife(LifeState& life) { LifeRun(life).Run(); }

}  // namespace dlpack_cts
