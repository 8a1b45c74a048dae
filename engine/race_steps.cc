// engine/race_steps.cc: several threads export or import at the same time, in many rounds.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "engine/crowd.h"
#include "engine/steps.h"
#include "harness/forge/thread.h"
#include "harness/recipe/together.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

constexpr size_t kRacers = 3;  // each uses the slot of its number
constexpr int kRaces = 8;      // rounds of one step, until one is not fair
constexpr int kPairs = 24;     // of exports of one thread in a round
constexpr int kMany = 300;     // exports, unless the library is slow

bool SameLayout(const ExportLedger& a, const ExportLedger& b) {
  const auto dims = static_cast<size_t>(std::clamp(a.tensor.ndim, 0, kDims));
  const bool strides = a.null_strides != 0 || b.null_strides != 0 || std::equal(a.strides, a.strides + dims, b.strides);
  return a.tensor.ndim == b.tensor.ndim && std::equal(a.shape, a.shape + dims, b.shape) && strides;
}

/// Whether the tensor is the same as in an export without other threads.
bool SameTensor(const ExportLedger& a, const ExportLedger& b) {
  return a.tensor.dtype == b.tensor.dtype && a.tensor.device.device_type == b.tensor.device.device_type &&
         a.tensor.device.device_id == b.tensor.device.device_id && a.flags == b.flags && a.versioned == b.versioned &&
         SameLayout(a, b);
}

uint64_t AddressOf(const ExportLedger& exported) {
  return reinterpret_cast<uint64_t>(exported.tensor.data) + exported.tensor.byte_offset;
}

/// What the threads of one step share: the library, and one ledger.
class Racing {
 public:
  Racing(LifeState& life, Subject& subject, const Step& step)
      : life_(life), subject_(subject), step_(step), call_(life.recipe.call(step.call)) {}

 protected:
  /// Calls `work` with each number below kRacers on a thread of its own. All threads start together.
  void AtOnce(const std::function<void(size_t racer)>& work) {
    std::atomic<size_t> missing = kRacers;
    std::vector<Threads::Worker*> workers;
    for (size_t racer = 0; racer < kRacers; ++racer) {
      workers.push_back(&life_.threads.Start([&work, &missing, racer] {
        const ThreadMark mark(static_cast<int8_t>(racer + 1));
        // Spin, because waking up takes longer than most races.
        --missing;
        while (missing > 0) std::this_thread::yield();
        work(racer);
      }));
    }
    life_.producer.runtime().Waiting([&] {
      for (Threads::Worker* const worker : workers) life_.threads.Wait(*worker);
    });
  }

  /// What a slow library may take for all rounds.
  double Seconds() const { return life_.patience.measuring / 4; }

  /// Repeats until a round is not fair. Meanwhile the interpreter switches threads as often as it can.
  Race RunRounds(const std::function<Race()>& round) {
    const double latest = Now() + Seconds();
    Race race = Race::kFair;
    subject_.runtime().Hurry(true);
    const int rounds = life_.effort == Effort::kFull ? kRaces : 1;
    for (int i = 0; i < rounds && race == Race::kFair && (i == 0 || Now() < latest); ++i) race = round();
    subject_.runtime().Hurry(false);
    return race;
  }

  LifeState& life_;
  Subject& subject_;
  const Step& step_;
  const Call& call_;
  std::unique_ptr<Ledger> ledger_ = std::make_unique<Ledger>();
  std::array<Handle, kRacers> arrays_ = {};
};

class ExportRace : public Racing {
 public:
  /// `plain`: the export without other threads.
  ExportRace(LifeState& life, Elements& elements, const Step& step, const ExportLedger& plain)
      : Racing(life, *life.sources[LifeState::SourceOf(step)].owner, step),
        plain_(plain),
        beside_(static_cast<Beside>(step.argument % static_cast<int>(Beside::kCount))) {
    const int from = LifeState::SourceOf(step);
    arrays_.fill(life.sources[from].array);
    // Two calls of a plug-in with the same array must not overlap.
    for (size_t racer = 1; racer < kRacers && !subject_.IsPython(); ++racer) {
      Refusal made{};
      arrays_[racer] = subject_.exporter().Make(life.request(from), elements.BackingOf(from), made);
    }
  }
  ~ExportRace() {
    for (size_t racer = 1; racer < kRacers && !subject_.IsPython(); ++racer) {
      if (arrays_[racer] != nullptr) subject_.Drop(arrays_[racer]);
    }
  }
  ExportRace(const ExportRace&) = delete;
  ExportRace& operator=(const ExportRace&) = delete;

  /// Whether two exports, one after the other, are separate and correct. If they are not, the failure does not need
  /// threads. The time that they take decides how many exports a round has.
  bool ExportsApart() {
    const double began = Now();
    const bool changes = beside_ == Beside::kChangesMetadata;
    if (changes && !(Change() && Change())) return false;
    if (beside_ == Beside::kImports) ImportOne(0);
    LifeState::Source& source = life_.sources[LifeState::SourceOf(step_)];
    source.changed = source.changed || changes;
    Exporter& exporter = subject_.exporter();
    for (const int slot : {0, 1}) exporter.Export(arrays_[0], call_, slot, *ledger_);
    const ExportLedger& first = ledger_->exports[0];
    const bool apart = exporter.ExportedStruct(0) != exporter.ExportedStruct(1) && SameTensor(first, plain_) &&
                       SameTensor(ledger_->exports[1], plain_) &&
                       ChangedSinceExport(exporter.ExportedStruct(0), first) == 0;
    for (const int slot : {0, 1}) {
      const Got got{exporter.ExportedStruct(slot), ledger_->exports[slot]};
      if (apart) exporter.TakeCapsule(slot);
      exporter.LoseCapsule(slot);
      if (apart) got.Delete();
    }
    exports_ = 2 * static_cast<int>(std::clamp<double>(Seconds() / (Now() - began), 1, kPairs));
    return apart;
  }

  /// The first error of a round. kNotRun if an export was refused, because then the others show nothing.
  Race Run() {
    all_ = std::find(arrays_.begin(), arrays_.end(), nullptr) == arrays_.end();
    const Race race =
        beside_ == Beside::kMany ? RunMany() : RunRounds([this] { return all_ ? RunRound() : Race::kNotRun; });
    return all_ || race != Race::kFair ? race : Race::kNotRun;
  }

 private:
  /// The export of one thread, and its fields before another thread could change them.
  struct Got {
    void* managed;
    ExportLedger seen;

    void Delete() const { CallDeleter(managed, seen.versioned != 0); }
  };

  /// One thread has many exports at the same time.
  Race RunMany() {
    std::vector<Got>& gotten = gotten_[0];
    const int many = exports_ < 2 * kPairs ? exports_ : kMany;
    for (int i = 0; i < many; ++i) ExportOne(0);
    all_ = gotten.size() == static_cast<size_t>(many);
    const Race race = Judge();
    ForgetDoubles();
    // Deletes them neither in their order nor in the opposite order.
    for (size_t i = 0; i < gotten.size(); i += 2) gotten[i].Delete();
    for (size_t i = 1; i < gotten.size(); i += 2) gotten[i].Delete();
    (void)subject_.runtime().ForgetException();
    return race;
  }

  Race RunRound() {
    AtOnce([&](size_t racer) {
      for (int i = 0; i < exports_; ++i) {
        // Code outside of the interpreter can only be interrupted here.
        subject_.runtime().Attach();
        Act(racer, i == 0);
        subject_.runtime().Detach();
      }
    });
    const Race race = Judge();
    if (beside_ == Beside::kChangesMetadata) Change();
    const size_t exporters = beside_ == Beside::kNothing ? kRacers : kRacers - 1;
    all_ = gotten_[0].size() + gotten_[1].size() + gotten_[2].size() == exporters * static_cast<size_t>(exports_);
    ForgetDoubles();
    AtOnce([&](size_t racer) {
      for (const Got& got : gotten_[racer]) got.Delete();
    });
    for (std::vector<Got>& of_one : gotten_) of_one.clear();
    return race;
  }

  void Act(size_t racer, bool first) {
    if (racer == 0 && beside_ == Beside::kChangesMetadata) {
      if (!first) Change();
    } else if (racer == 0 && beside_ == Beside::kImports) {
      ImportOne(racer);
    } else {
      ExportOne(racer);
    }
  }

  void ImportOne(size_t racer) {
    Refusal answer{};
    Subject& consumer = life_.ConsumerOf(step_);
    const Request& request = life_.request(LifeState::SourceOf(step_));
    Handle array = consumer.importer().ImportForeign(arrays_[racer], request, call_, answer);
    if (array != nullptr) consumer.Drop(array);
  }

  void ExportOne(size_t racer) {
    const auto slot = static_cast<int>(racer);
    Exporter& exporter = subject_.exporter();
    ledger_->exports[slot] = {};
    exporter.Export(arrays_[racer], call_, slot, *ledger_);
    void* const managed = exporter.ExportedStruct(slot);
    if (managed == nullptr) return;
    gotten_[racer].push_back({managed, ledger_->exports[slot]});
    exporter.TakeCapsule(slot);
    exporter.LoseCapsule(slot);
  }

  bool Change() { return subject_.ChangeMetadata(arrays_[0], kTranspose, changed_); }

  /// What is wrong with the exports that are alive at the same time; kFair if nothing is.
  Race Judge() const {
    // Exports of an array that changes differ, and so do exports of different arrays.
    const bool compares = beside_ == Beside::kMany || (subject_.IsPython() && beside_ != Beside::kChangesMetadata);
    std::vector<void*> structs;
    Race worst = Race::kFair;
    for (const std::vector<Got>& of_one : gotten_) {
      for (const Got& got : of_one) {
        structs.push_back(got.managed);
        if (ChangedSinceExport(got.managed, got.seen) != 0) worst = Race::kChanged;
        if (!compares || worst != Race::kFair) continue;
        const bool elsewhere = plain_.IsAtSource() && AddressOf(got.seen) != AddressOf(plain_);
        if (elsewhere || !SameTensor(got.seen, plain_)) worst = Race::kOtherTensor;
      }
    }
    std::sort(structs.begin(), structs.end());
    return std::adjacent_find(structs.begin(), structs.end()) == structs.end() ? worst : Race::kSharedStruct;
  }

  /// Keeps one entry for each struct, so that each is deleted once, even if the library returned it twice.
  void ForgetDoubles() {
    std::vector<void*> known;
    for (std::vector<Got>& of_one : gotten_) {
      std::erase_if(of_one, [&](const Got& got) {
        const bool again = std::find(known.begin(), known.end(), got.managed) != known.end();
        known.push_back(got.managed);
        return again;
      });
    }
  }

  const ExportLedger& plain_;
  const Beside beside_;
  Refusal changed_{};
  std::array<std::vector<Got>, kRacers> gotten_;
  int exports_ = 2;  // of one thread in a round; even, so that an odd number of changes leaves the array changed
  bool all_ = true;  // no export was refused
};

class ImportRace : public Racing {
 public:
  ImportRace(LifeState& life, Releases& releases, const Step& step)
      : Racing(life, life.ConsumerOf(step), step),
        releases_(releases),
        offer_(life.recipe.offer(step.block)),
        sharing_(static_cast<Sharing>(step.argument % static_cast<int>(Sharing::kCount))),
        fact_(life.import(step.slot).race) {}

  /// Whether imports one after the other are correct. If they are not, the failure does not need threads.
  bool IsFairAlone() { return (!one_ || subject_.IsPython()) && RunRound(false) == Race::kFair; }
  Race Run() {
    return RunRounds([this] { return RunRound(true); });
  }

 private:
  /// Imports, at the same time or one after the other, and drops the results.
  Race RunRound(bool together) {
    Clear(*ledger_);
    arrays_ = {};
    for (int slot = 0; slot < tensors_; ++slot) {
      made_[static_cast<size_t>(slot)] = life_.forge.Make(offer_, slot, *ledger_);
    }
    ImportAll(together);
    const auto refused = static_cast<size_t>(std::count(arrays_.begin(), arrays_.end(), nullptr));
    Race race = refused == 0 || (one_ && refused < kRacers) ? Race::kFair : Race::kNotRun;
    if (!DropAll()) race = Race::kReleasedEarly;
    if (!Settled()) releases_.CollectAll();
    if (!Settled()) {
      subject_.runtime().Waiting([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
      releases_.CollectAll();
    }
    for (int slot = 0; slot < tensors_; ++slot) {
      if (ledger_->imports[slot].deleter.calls > 1) race = Race::kReleasedTwice;
    }
    return !Settled() && race != Race::kReleasedTwice ? Race::kNotReleased : race;
  }

  void ImportAll(bool together) {
    if (!together) {
      for (size_t racer = 0; racer < kRacers; ++racer) {
        ImportOne(racer);
        fact_ = Race::kFair;  // StepAtEnd() reads it if the process ends: no plain import runs any more
      }
      return;
    }
    std::atomic<bool> begun = false;
    AtOnce([&](size_t racer) {
      // The others wait until the first one is about to import, so that they interrupt it.
      while (one_ && racer != 0 && !begun) std::this_thread::yield();
      subject_.runtime().Attach();
      begun = true;
      ImportOne(racer);
      subject_.runtime().Detach();
    });
  }

  void ImportOne(size_t racer) {
    const bool bare = sharing_ == Sharing::kOneBare;
    Importer& importer = subject_.importer();
    arrays_[racer] = one_ && racer != 0
                         ? importer.ImportAgain(call_, 0, bare, *ledger_)
                         : importer.Import(offer_, call_, static_cast<int>(racer), made_[racer], bare, *ledger_);
  }

  /// False if a tensor was released while an array still used its memory.
  bool DropAll() {
    const bool elements = ElementCount(offer_.shape, offer_.dims) > 0;
    bool held = true;
    for (size_t racer = 0; racer < kRacers; ++racer) {
      if (arrays_[racer] == nullptr) continue;
      Description told{};
      subject_.Describe(arrays_[racer], told);
      const int home = one_ ? 0 : static_cast<int>(racer);
      const bool aliases =
          elements && told.has_pointer != 0 && life_.forge.Locate(home, told.pointer).area == Area::kData;
      held = held && !(aliases && life_.forge.HasDeleter(home) && life_.forge.Released(home));
      subject_.Drop(arrays_[racer]);
    }
    for (int slot = 0; slot < tensors_; ++slot) {
      subject_.importer().DropProducer(slot);
      subject_.importer().DropCapsule(slot);
    }
    return held;
  }

  bool Settled() const {
    for (int slot = 0; slot < tensors_; ++slot) {
      const bool taken = life_.forge.HasDeleter(slot) && ledger_->imports[slot].capsules != 0;
      if (taken && !life_.forge.Released(slot)) return false;
    }
    return true;
  }

  Releases& releases_;
  const Offer& offer_;
  const Sharing sharing_;
  Race& fact_;
  const bool one_ = sharing_ != Sharing::kNothing;  // all threads import the same tensor
  const int tensors_ = one_ ? 1 : static_cast<int>(kRacers);
  std::array<Offered, kRacers> made_ = {};
};

}  // namespace

bool RaceSteps::MayRace() const {
  return !life_.lanes && std::none_of(life_.slots, life_.slots + kRacers, [](const LifeState::Slot& slot) {
    return slot.offered || (slot.out.managed != nullptr && !slot.out.lost);
  });
}

void RaceSteps::ExportTogether(const Step& step) {
  const int slot = step.slot;
  if (life_.sources[LifeState::SourceOf(step)].array == nullptr) return;
  if (life_.slots[slot].out.managed == nullptr) return;
  const ExportLedger plain = life_.exported(slot);
  exports_.End(slot);
  if (!MayRace()) return;
  if (step.argument > static_cast<int32_t>(Beside::kMany)) {
    life_.exported(slot).race = RunExportCrowd(life_, step);
    return;
  }
  ExportRace exports(life_, elements_, step, plain);
  const Race race = exports.ExportsApart() ? exports.Run() : Race::kNotRun;
  if (race != Race::kNotRun) life_.exported(slot).race = race;
}

void RaceSteps::ImportTogether(const Step& step) {
  if (!MayRace()) return;
  const auto sharing = static_cast<Sharing>(step.argument);
  if (IsMany(sharing)) {
    life_.import(step.slot).race = RunImportCrowd(life_, releases_, step);
    return;
  }
  if (IsReexports(sharing)) {
    life_.import(step.slot).race = RunReexportCrowd(life_, releases_, step);
    return;
  }
  if (IsFar(sharing)) {
    life_.import(step.slot).race = RunFarImports(life_, releases_, step);
    return;
  }
  ImportRace imports(life_, releases_, step);
  const Race race = imports.IsFairAlone() ? imports.Run() : Race::kNotRun;
  life_.import(step.slot).race = race;
}

}  // namespace dlpack_cts
