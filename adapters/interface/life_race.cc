// adapters/interface/life_race.cc: exports and imports by several threads at once, again and again, with a start for
// all.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "adapters/interface/exported_tensor.h"
#include "adapters/interface/life_run.h"
#include "harness/forge/thread.h"

namespace dlpack_cts {
namespace {

constexpr int kRacers = 3;    // each has the slot of its number
constexpr int kRaces = 8;     // rounds of one step that lose a race
constexpr int kExports = 48;  // of a thread in a round; even, so that one change less leaves an array changed
constexpr int kMany = 300;

/// What one thread got, and what it read of it before another could change it.
struct Got {
  void* managed;
  ExportLedger seen;
};
using Gotten = std::array<std::vector<Got>, kRacers>;

bool SameLayout(const ExportLedger& a, const ExportLedger& b) {
  const auto dims = static_cast<size_t>(std::clamp(a.tensor.ndim, 0, kDims));
  const bool strides = a.null_strides != 0 || b.null_strides != 0 || std::equal(a.strides, a.strides + dims, b.strides);
  return a.tensor.ndim == b.tensor.ndim && std::equal(a.shape, a.shape + dims, b.shape) && strides;
}

/// The same tensor as an export without other threads.
bool SameTensor(const ExportLedger& a, const ExportLedger& b) {
  return a.tensor.dtype == b.tensor.dtype && a.tensor.device.device_type == b.tensor.device.device_type &&
         a.tensor.device.device_id == b.tensor.device.device_id && a.flags == b.flags && a.versioned == b.versioned &&
         SameLayout(a, b);
}

uint64_t AddressOf(const ExportLedger& exported) {
  return reinterpret_cast<uint64_t>(exported.tensor.data) + exported.tensor.byte_offset;
}

/// What is wrong with all that is alive at once; kFair where nothing is. `plain` is NULL where the array changes.
Race Judge(const Gotten& gotten, const ExportLedger* plain) {
  std::vector<void*> structs;
  Race worst = Race::kFair;
  for (const std::vector<Got>& of_one : gotten) {
    for (const Got& got : of_one) {
      structs.push_back(got.managed);
      if (ChangedSinceExport(got.managed, got.seen) != 0) worst = Race::kChanged;
      if (plain == nullptr || worst != Race::kFair) continue;
      const bool elsewhere = plain->IsAtSource() && AddressOf(got.seen) != AddressOf(*plain);
      if (elsewhere || !SameTensor(got.seen, *plain)) worst = Race::kOtherTensor;
    }
  }
  std::sort(structs.begin(), structs.end());
  return std::adjacent_find(structs.begin(), structs.end()) == structs.end() ? worst : Race::kSharedStruct;
}

/// Each struct is deleted once, whatever the library said.
void ForgetDoubles(Gotten& gotten) {
  std::vector<void*> known;
  for (std::vector<Got>& of_one : gotten) {
    std::erase_if(of_one, [&](const Got& got) {
      const bool again = std::find(known.begin(), known.end(), got.managed) != known.end();
      known.push_back(got.managed);
      return again;
    });
  }
}

}  // namespace

/// Rounds of one race.
int LifeRun::Races() const { return effort_ == Effort::kFull ? kRaces : 1; }

/// Each number up to kRacers on a thread of its own, which begins when all of them are there.
void LifeRun::AtOnce(const std::function<void(int racer)>& work) {
  std::atomic<int> missing = kRacers;
  std::vector<Threads::Worker*> workers;
  for (int racer = 0; racer < kRacers; ++racer) {
    workers.push_back(&threads_.Start([&work, &missing, racer] {
      const ThreadMark mark(static_cast<int8_t>(racer + 1));
      // To wake up takes longer than most races.
      --missing;
      while (missing > 0) std::this_thread::yield();
      work(racer);
    }));
  }
  subject_.runtime().Waiting([&] {
    for (Threads::Worker* const worker : workers) threads_.Wait(*worker);
  });
}

/// The slots of all racers are free.
bool LifeRun::MayRace() const {
  return !lanes_ && std::none_of(slots_, slots_ + kRacers, [](const Slot& slot) {
    return slot.offered || (slot.out.managed != nullptr && !slot.out.lost);
  });
}

/// Two exports, one after the other, are apart and the tensor that they should be. Where they are not, threads have
/// nothing to do with it.
bool LifeRun::ExportsApart(Subject& owner, Handle array, const dlpack_cts::Call& call, const ExportLedger& plain) {
  for (const int slot : {0, 1}) owner.exporter().Export(array, call, slot, *race_);
  const ExportLedger& first = race_->exports[0];
  const bool apart = owner.exporter().ExportedStruct(0) != owner.exporter().ExportedStruct(1) &&
                     SameTensor(first, plain) && SameTensor(race_->exports[1], plain) &&
                     ChangedSinceExport(owner.exporter().ExportedStruct(0), first) == 0;
  for (const int slot : {0, 1}) owner.exporter().LoseCapsule(slot);
  return apart;
}

void LifeRun::ExportTogether(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  if (sources_[from].array == nullptr || slots_[slot].out.managed == nullptr) return;
  const ExportLedger plain = exported(slot);
  if (slots_[slot].out.taken) Delete({.op = Op::kDelete, .slot = step.slot});
  LoseCapsule({.op = Op::kLoseCapsule, .slot = step.slot});
  if (!MayRace()) return;
  Subject& owner = *sources_[from].owner;
  const auto beside = static_cast<Beside>(step.argument % static_cast<int>(Beside::kCount));
  Refusal changed{};
  const auto change = [&] { return owner.ChangeMetadata(sources_[from].array, kTranspose, changed); };
  if (beside == Beside::kChangesMetadata && !(change() && change())) return;
  sources_[from].changed = sources_[from].changed || beside == Beside::kChangesMetadata;
  // Two calls of a plug-in with the same array must not overlap.
  Handle arrays[kRacers] = {sources_[from].array, sources_[from].array, sources_[from].array};
  Refusal made{};
  for (int racer = 1; racer < kRacers && !owner.IsPython(); ++racer) {
    arrays[racer] = owner.exporter().Make(request(from), BackingOf(from), made);
  }
  const dlpack_cts::Call& call = recipe_.call(step.call);
  race_ = std::make_unique<Ledger>();
  if (!ExportsApart(*sources_[from].owner, sources_[from].array, call, plain)) return;
  Gotten gotten;
  const auto export_one = [&](int racer) {
    race_->exports[racer] = {};
    owner.exporter().Export(arrays[racer], call, racer, *race_);
    void* const managed = owner.exporter().ExportedStruct(racer);
    if (managed == nullptr) return;
    gotten[static_cast<size_t>(racer)].push_back({managed, race_->exports[racer]});
    owner.exporter().TakeCapsule(racer);
    owner.exporter().LoseCapsule(racer);
  };
  const auto import_one = [&](int racer) {
    Refusal answer{};
    Handle array = ConsumerOf(step).importer().ImportForeign(arrays[racer], request(from), call, answer);
    if (array != nullptr) ConsumerOf(step).Drop(array);
  };
  Race race = Race::kFair;
  bool all = std::find(arrays, arrays + kRacers, nullptr) == arrays + kRacers;
  if (beside == Beside::kMany) {
    for (int i = 0; i < kMany; ++i) export_one(0);
    all = gotten[0].size() == kMany;
    race = Judge(gotten, &plain);
    ForgetDoubles(gotten);
    // Neither in their order nor in the opposite one.
    for (size_t i = 0; i < gotten[0].size(); i += 2)
      CallDeleter(gotten[0][i].managed, gotten[0][i].seen.versioned != 0);
    for (size_t i = 1; i < gotten[0].size(); i += 2)
      CallDeleter(gotten[0][i].managed, gotten[0][i].seen.versioned != 0);
    (void)owner.runtime().ForgetException();
  }
  const int rounds = beside == Beside::kMany ? 0 : Races();
  owner.runtime().Hurry(true);
  for (int round = 0; round < rounds && all && race == Race::kFair; ++round) {
    AtOnce([&](int racer) {
      for (int i = 0; i < kExports; ++i) {
        // Code that no interpreter runs is interrupted nowhere else.
        owner.runtime().Attach();
        if (racer == 0 && beside == Beside::kChangesMetadata) {
          if (i != 0) change();
        } else if (racer == 0 && beside == Beside::kImports) {
          import_one(racer);
        } else {
          export_one(racer);
        }
        owner.runtime().Detach();
      }
    });
    race = Judge(gotten, owner.IsPython() && beside != Beside::kChangesMetadata ? &plain : nullptr);
    if (beside == Beside::kChangesMetadata) change();
    const int exporters = beside == Beside::kNothing ? kRacers : kRacers - 1;
    size_t count = 0;
    for (const std::vector<Got>& of_one : gotten) count += of_one.size();
    all = count == static_cast<size_t>(exporters) * kExports;
    ForgetDoubles(gotten);
    AtOnce([&](int racer) {
      for (const Got& got : gotten[static_cast<size_t>(racer)]) CallDeleter(got.managed, got.seen.versioned != 0);
    });
    for (std::vector<Got>& of_one : gotten) of_one.clear();
  }
  owner.runtime().Hurry(false);
  for (int racer = 1; racer < kRacers && !owner.IsPython(); ++racer) {
    if (arrays[racer] != nullptr) owner.Drop(arrays[racer]);
  }
  // One that was refused meanwhile says nothing of the others.
  if (all || race != Race::kFair) exported(slot).race = race;
}

void LifeRun::ImportTogether(const Step& step) {
  const int slot = step.slot;
  if (!MayRace()) return;
  Subject& consumer = ConsumerOf(step);
  const Offer& offered = recipe_.offer(step.block);
  const dlpack_cts::Call& call = recipe_.call(step.call);
  const auto sharing = static_cast<Sharing>(step.argument % static_cast<int>(Sharing::kCount));
  const bool bare = sharing == Sharing::kOneBare;
  const bool one = sharing != Sharing::kNothing;
  if (one && !consumer.IsPython()) return;
  const bool elements = ElementCount(offered.shape, offered.dims) > 0;
  race_ = std::make_unique<Ledger>();
  const int tensors = one ? 1 : kRacers;
  const auto settled = [&] {
    for (int racer = 0; racer < tensors; ++racer) {
      if (forge_.HasDeleter(racer) && race_->imports[racer].capsules != 0 && !forge_.Released(racer)) return false;
    }
    return true;
  };
  const auto take = [&](bool together) {
    Clear(*race_);
    Handle arrays[kRacers] = {};
    Offered made[kRacers] = {};
    for (int racer = 0; racer < tensors; ++racer) made[racer] = forge_.Make(offered, racer, *race_);
    const auto import = [&](int racer) {
      arrays[racer] = one && racer != 0 ? consumer.importer().ImportAgain(call, 0, bare, *race_)
                                        : consumer.importer().Import(offered, call, racer, made[racer], bare, *race_);
    };
    std::atomic<bool> begun = false;
    if (together) {
      AtOnce([&](int racer) {
        // The others wait until the first one has the capsule in its hands, and may be interrupted.
        while (one && racer != 0 && !begun) std::this_thread::yield();
        consumer.runtime().Attach();
        begun = true;
        import(racer);
        consumer.runtime().Detach();
      });
    } else {
      for (int racer = 0; racer < kRacers; ++racer) import(racer);
    }
    const int took = static_cast<int>(kRacers - std::count(arrays, arrays + kRacers, nullptr));
    Race race = took == (one ? std::max(took, 1) : kRacers) ? Race::kFair : Race::kNotRun;
    for (int racer = 0; racer < kRacers; ++racer) {
      if (arrays[racer] == nullptr) continue;
      Description told{};
      consumer.Describe(arrays[racer], told);
      const int home = one ? 0 : racer;
      const bool aliases = elements && told.has_pointer != 0 && forge_.Locate(home, told.pointer).area == Area::kData;
      if (aliases && forge_.HasDeleter(home) && forge_.Released(home)) race = Race::kReleasedEarly;
      consumer.Drop(arrays[racer]);
    }
    for (int racer = 0; racer < tensors; ++racer) {
      consumer.importer().DropProducer(racer);
      consumer.importer().DropCapsule(racer);
    }
    if (!settled()) Collect();
    if (!settled()) {
      consumer.runtime().Waiting([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
      Collect();
    }
    for (int racer = 0; racer < tensors; ++racer) {
      if (race_->imports[racer].deleter.calls > 1) race = Race::kReleasedTwice;
    }
    return !settled() && race != Race::kReleasedTwice ? Race::kNotReleased : race;
  };
  // Where one after the other is wrong already, threads have nothing to do with it.
  if (take(false) != Race::kFair) return;
  Race race = Race::kFair;
  consumer.runtime().Hurry(true);
  for (int round = 0; round < Races() && race == Race::kFair; ++round) race = take(true);
  consumer.runtime().Hurry(false);
  import(slot).race = race;
}

}  // namespace dlpack_cts
