// adapters/interface/life_run.h: one run of a recipe's life on a subject; shared by its files, used by the engine.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "adapters/interface/cuda_order.h"
#include "adapters/interface/effort.h"
#include "adapters/interface/readable.h"
#include "adapters/interface/subject.h"
#include "adapters/interface/table_allocation.h"
#include "adapters/interface/threads.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/often.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Scratch memory of one engine: expected and seen elements. Too large for the stack, too hot for the heap.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { Shrink(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Room for the elements of offers and requests; a large one's is mapped here and given back by Shrink().
  void Fit(bool large);
  void Shrink() { Fit(false); }

  std::span<uint8_t> wanted{small_wanted_};
  std::span<uint8_t> got{small_got_};

 private:
  static constexpr size_t kFactor = 2;  // broadcast layouts have more elements than memory
  std::array<uint8_t, kDataCapacity * kFactor> small_wanted_;
  std::array<uint8_t, kDataCapacity * kFactor> small_got_;
  uint8_t* large_ = nullptr;  // both, one behind the other
};

/// What the library's bytes are against what the recipe says.
void CompareElements(const uint8_t* wanted, const uint8_t* got, int64_t elements, int64_t item_size,
                     ElementReading& reading);

/// True when another element of the offer lies where that one does.
bool SharesItsPlace(const Offer& offer, int64_t index);

/// Where the address lies as seen from the array that the library describes so.
Location LocateIn(const Description& array, uint64_t address);

class LifeRun {
 public:
  LifeRun(Subject& producer, Subject& consumer, Forge& forge, Threads& threads, Scratch& scratch, Effort effort,
          Patience& patience, const Recipe& recipe, Ledger& ledger)
      : subject_(producer),
        consumer_(consumer),
        forge_(forge),
        threads_(threads),
        scratch_(scratch),
        effort_(effort),
        patience_(patience),
        recipe_(recipe),
        ledger_(ledger) {}

  /// Takes every step of the life, then drops what is left.
  void Run();

 private:
  ImportLedger& import(int slot) { return ledger_.imports[slot]; }
  ExportLedger& exported(int slot) { return ledger_.exports[slot]; }
  /// For reading alone: other access marks a block of the ledger as used.
  const Ledger& seen() const { return ledger_; }
  void Take(const Step& step);
  void Collect();

  // Lanes and contexts: life_lanes.cc
  /// True where the engine takes the step in its context.
  static bool Runs(const Step& step);
  /// The index behind the steps from `first` on that no barrier parts; true in `lanes` where they have several.
  int Segment(int first, bool* lanes) const;
  void TakeInLanes(int first, int behind);
  /// Takes a step while no other lane does, but for calls that it makes with Call().
  void TakeAlone(int index);
  /// What is pending is not for the next one to stumble over. True where something was.
  bool ForgetException();
  /// The same behind a step, which is written down.
  void NoteException(const Step& step);
  /// Calls the library in the context of the step, while other lanes go on.
  template <typename Work>
  void Call(Subject& subject, const Step& step, const Work& work, bool attached = true) {
    if (!lanes_ && step.context == Context::kUsual) return work();
    CallInContext(subject, step, work, attached);
  }
  void CallInContext(Subject& subject, const Step& step, const std::function<void()>& work, bool attached);
  void Begin();
  void End() { book_.unlock(); }
  /// Waits until no other lane is in a call with what the step uses, or with that slot.
  void AwaitStep(const Step& step);
  void Await(int slot);
  void Yield(bool attached);
  template <typename Block>  // Offer or Request
  void Overlay(int memory, const Block& block, int64_t item, std::span<uint8_t> out) const;
  std::span<uint8_t> ExpectRequest(int source);
  /// Bytes of elements that the library may be asked for (readable.h): of the slot's array, of the source, and of an
  /// array that has to be described first.
  int64_t BytesToRead(int slot) const;
  int64_t SourceBytes(int source) const;
  int64_t BytesOf(Subject& owner, Handle array, const Meant& meant) const;
  Meant MeantBy(int slot) const;
  Meant MeantBySource(int source) const;
  /// The library's own conversion into scratch memory. `may` as BytesToRead() gave it; returns the number of bytes, -1
  /// for none.
  int64_t Values(Subject& owner, Handle array, int64_t may);
  /// Whether that element of the array has these bits. 0: unknown; 1: yes; 2: no.
  WriteShown Shows(Subject& owner, Handle array, int64_t may, int64_t index, std::span<const uint8_t> bits);
  void ReadValues(Subject& owner, Handle array, int64_t may, ElementReading& reading, std::span<const uint8_t> wanted,
                  int64_t item);
  void ReadSource(int source);
  /// The blocks that the steps have named: of the slot's offer, and of the array that was made.
  const Offer& offer(int slot) const { return recipe_.offer(slots_[slot].block); }
  const Request& request(int source) const { return recipe_.request(sources_[source].request); }
  abi::DLDataType DtypeOf(int slot) const {
    return slots_[slot].from_source ? request(slots_[slot].source).dtype : offer(slot).dtype;
  }
  std::span<uint8_t> Expect(int slot) {
    return slots_[slot].from_source ? ExpectRequest(slots_[slot].source) : ExpectOffer(slot);
  }
  /// The slot of the array that the step is about, which the library made.
  static int SourceOf(const Step& step) { return std::max(OtherSlot(step), 0); }
  static int OfSource(int source) { return -1 - source; }

  // What a CUDA driver says and does: life_cuda.cc
  struct OnCuda;
  struct Source;
  /// In a context that it makes.
  void CallOnCuda(const Step& step, const std::function<void()>& work);
  void ExportBesideWork(const Step& step, const CudaDriver& driver, const std::function<void()>& work);
  void ExportOnHeldStream(const Step& step, const CudaDriver& driver, const std::function<void()>& work);
  void DeleteBehindStream(const Step& step, const CudaDriver& driver, const std::function<void()>& work);
  void AskDriver(int slot);
  void AskDriverOfStreams(int slot);
  /// The call that the step makes, which names a stream of the harness by its handle.
  const dlpack_cts::Call& CallOf(const Step& step);
  OnCuda& Cuda(int device);
  /// The stream on which the library works with the array, or -1 if it is unknown.
  static int64_t WorkStreamOf(const Source& source);
  uint64_t StreamOf(const CudaDriver& driver, int number, int device);
  /// A piece of pinned memory, or NULL.
  uint8_t* Pinned(const CudaDriver& driver, int piece, int device);
  /// The memory of the elements of the exported struct, or of the array that was made; empty if unknown.
  DeviceBytes BytesOfExport(const ExportLedger& record) const;
  DeviceBytes BytesOfSource(int source) const;
  bool ShowsSource(const Step& step, DeviceBytes from, std::span<const uint8_t> bytes);
  /// Puts the elements of the offer on its device, where it is to lie on one that is there.
  void PlaceOnDevice(int slot);
  bool LiesOnDevice(int slot) const { return cuda_ != nullptr && cuda_->bytes[slot].size != 0; }
  void Fetch(const Step& step);
  void FetchOnce(int slot);
  void LeaveCuda();

  // What deleters do: life_within.cc
  /// Runs inside the deleter of the slot's tensor.
  void Within(int slot);
  void TakeAnother(int slot, int spare);
  /// Waits for deleters that have not come back, and for the thread that one met.
  void EndWithin();

  // Imports: life_import.cc
  void Import(const Step& step);
  void ImportAgain(const Step& step);
  void Describe(int slot);
  std::span<uint8_t> ExpectOffer(int slot);
  /// The expected elements in the type of the slot's array: a copy in a narrower type has other bits. False if they are
  /// unknown.
  bool ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item);
  /// `may` as BytesToRead() gave it.
  void ReadArray(int slot, Handle array, int64_t may, ElementReading& reading);
  void ReadMemory(int slot);
  void Read(const Step& step);
  void Compute(int slot);
  void WriteSource(int slot, int64_t index);
  void WriteArray(int slot, int64_t index);
  void ImportSource(const Step& step);
  void WriteShared(int slot, int64_t index, bool by_consumer);
  void TakeView(int slot);
  void Reexport(const Step& step);
  void DropArray(const Step& step);
  void DropCapsule(const Step& step);
  void DropProducer(const Step& step);

  // Exports and the C exchange API: life_export.cc
  void Make(const Step& step);
  void Export(const Step& step);
  bool BeginExport(int slot);
  bool HasCapsule(int slot);
  void LocateExport(int slot);
  void LoseCapsule(const Step& step);
  void Inspect(int slot);
  void ReadExport(int slot);
  void WriteExport(int slot, int64_t index);
  void DropSource(int source);
  void Delete(const Step& step);
  void UseSource(int source);
  void FindTable(int source);
  bool HasTable(int source);
  void Own(int slot, int source, abi::DLManagedTensorVersioned* tensor);
  void TableExport(const Step& step);
  void TableStream(const Step& step);
  void TableImport(const Step& step);
  void TableView(const Step& step);
  bool HasRoom(const Step& step, int from, const ExportLedger& record);
  void TableAllocate(const Step& step);
  /// The elements that the library is given to make the source of; empty, with no address, where they are too many.
  std::span<const uint8_t> BackingOf(int source);
  bool UseTableOnce(const Step& step, Often often, Handle array);
  bool ExportOnce(const Step& step, std::span<const uint8_t> backing, bool exports);  // life_often.cc
  void ExportOften(const Step& step);

  // Several threads at once: life_race.cc
  int Races() const;
  void AtOnce(const std::function<void(int racer)>& work);
  bool MayRace() const;
  bool ExportsApart(Subject& owner, Handle array, const dlpack_cts::Call& call, const ExportLedger& plain);
  void ExportTogether(const Step& step);
  void ImportTogether(const Step& step);

  // The end of a life.
  void DropEverything();
  void DropSlot(int slot);
  void Note(int slot, Outcome outcome);
  bool Settled();
  bool HoldsNothing();
  bool OwesTensors();
  bool OwesArrays();
  void AwaitLate();

  /// An array that the library made.
  struct Source {
    Handle array = nullptr;
    Subject* owner = nullptr;
    int request = 0;       // the block that it was made for
    int calls = 0;         // as Slot::calls
    bool changed = false;  // since it was described
    bool muddled = false;  // there was a write, and it is unknown whether into its memory
  };

  /// What the library exported under the number of a slot. Starts anew with each export, whatever became of the last.
  struct Exported {
    Subject* owner = nullptr;  // that made it
    void* managed = nullptr;
    bool taken = false;       // the engine owns the tensor: its capsule was consumed, or there was none
    bool lost = false;        // there is no capsule any more, or never was one
    int reexported_from = 0;  // 1 + the slot of the import that was exported; 0: an array that the library made
    int source = 0;           // the slot of that one
    bool muddled = false;     // as Source::muddled
    abi::DLManagedTensorVersioned view = {};  // around what dltensor_from_py_object filled in
  };

  /// One of the exchanges that a life keeps alive side by side: an import, and beside it an export.
  struct Slot {
    Subject* owner = nullptr;  // that imports
    Handle array = nullptr;    // what it made of the offer
    int block = 0;             // the offer that lies in it
    int calls = 0;             // of the library that run with the slot on some lane
    bool offered = false;
    bool bare = false;              // as a bare capsule
    bool capsule_dropped = false;   // the harness's own reference
    bool producer_dropped = false;  // likewise
    bool view = false;              // `array` is a view of what was described
    bool muddled = false;           // as Source::muddled
    bool written = false;           // by the library itself, whose array may lie elsewhere since
    bool from_source = false;       // the consumer was given an array of the producer, not an offer
    int source = 0;                 // the slot of that one
    Exported out;
  };

  /// A value that was written to an element, and is expected from then on.
  struct Written {
    int slot;  // of the offer, or OfSource() of an array that the library made
    int64_t index;
    uint8_t bits[16];
  };
  void Remember(int slot, int64_t index, const uint8_t* bits, int64_t item);
  /// From now on the elements of the array with that memory (a slot, or OfSource()), and of its exports, are unknown.
  void Muddle(int memory);
  /// The same for exports only: all of them, or those outside of that memory.
  enum class Which : uint8_t { kAll, kThatMayBeCopies };
  void MuddleExports(int memory, Which which);

  /// The library that runs the step: in a pair either one may make, export and import.
  Subject& ProducerOf(const Step& step) { return step.actor == Actor::kConsumer ? consumer_ : subject_; }
  Subject& ConsumerOf(const Step& step) { return step.actor == Actor::kProducer ? subject_ : consumer_; }

  /// What the harness has on CUDA devices for the time of a life.
  struct OnCuda {
    int device = 0;
    uint64_t streams[kStreams] = {};
    uint8_t* pinned = nullptr;  // for what is copied while a stream is held
    uint64_t memory[kSlots] = {};
    DeviceBytes bytes[kSlots];  // of the offers' elements
    dlpack_cts::Call call = {};
  };

  Subject& subject_;   // makes and exports as a rule
  Subject& consumer_;  // imports as a rule; the same one, but for a pair
  Forge& forge_;
  Threads& threads_;
  Scratch& scratch_;
  Effort effort_;
  Patience& patience_;  // the engine's
  const Recipe& recipe_;
  Ledger& ledger_;
  Source sources_[kSlots];
  Slot slots_[kSlots];
  std::mutex book_;                // held by the lane that takes a step; not while it calls the library
  bool lanes_ = false;             // more than one runs
  std::unique_ptr<Ledger> aside_;  // of what is imported within a deleter, which happens once in a life
  int spare_ = -1;                 // the slot of what was imported so, and has to be released
  std::unique_ptr<Ledger> race_;   // of what several threads do at once
  std::unique_ptr<OnCuda> cuda_;
  bool acts_ = false;                   // some deleter calls the library
  Threads::Worker* meeting_ = nullptr;  // the thread that a deleter met
  std::atomic<bool> met_ = false;       // it is through
  int written_count_ = 0;
  Written written_[kSteps] = {};  // the latest; older ones were overwritten
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_
