// adapters/interface/life_run.h: one run of a recipe's life on a subject; shared by its three files, used by the
// engine.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "adapters/interface/subject.h"
#include "adapters/interface/table_allocation.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

inline constexpr size_t kBuffer = kDataCapacity * 2;  // broadcast layouts have more elements than memory

/// Scratch memory of one engine: expected and seen elements. Too large for the stack, too hot for the heap.
struct Scratch {
  std::array<uint8_t, kBuffer> wanted;
  std::array<uint8_t, kBuffer> got;
};

/// What the library's bytes are against what the recipe says.
void CompareElements(const uint8_t* wanted, const uint8_t* got, int64_t elements, int64_t item_size,
                     ElementReading& reading);

inline constexpr uint64_t kSalts = 64;  // tries before a type counts as having one value

/// Bits of the type that differ from `before`: a write that changes nothing (a bool has two values) shows nothing.
void OtherBits(abi::DLDataType dtype, uint64_t seed, int64_t index, const uint8_t* before, uint8_t* bits);

/// Where the address lies as seen from the array that the library describes so.
Location LocateIn(const Description& array, uint64_t address);

class LifeRun {
 public:
  LifeRun(Subject& producer, Subject& consumer, Forge& forge, Scratch& scratch, const Recipe& recipe, Ledger& ledger)
      : subject_(producer), consumer_(consumer), forge_(forge), scratch_(scratch), recipe_(recipe), ledger_(ledger) {}

  /// Takes every step of the life, then drops what is left.
  void Run();

 private:
  ImportLedger& import(int slot) { return ledger_.imports[slot]; }
  ExportLedger& exported(int slot) { return ledger_.exports[slot]; }
  /// For reading alone: other access marks a block of the ledger as used.
  const Ledger& seen() const { return ledger_; }
  void Take(const Step& step);
  void Collect();
  void Overlay(int slot, int64_t item, int64_t count, std::span<uint8_t> out) const;
  std::span<uint8_t> ExpectRequest();
  void ReadValues(Subject& owner, Handle array, ElementReading& reading, std::span<const uint8_t> wanted, int64_t item);
  void ReadSource();
  abi::DLDataType DtypeOf(int slot) const {
    return slots_[slot].from_source ? recipe_.request.dtype : recipe_.offer.dtype;
  }
  std::span<uint8_t> Expect(int slot) { return slots_[slot].from_source ? ExpectRequest() : ExpectOffer(slot); }

  // Imports: life_import.cc
  void Import(int slot, bool bare, int in_place_of);
  void ImportAgain(int slot);
  void Describe(int slot);
  std::span<uint8_t> ExpectOffer(int slot);
  /// What the slot's array has to hold, in the type that the array has: a copy in a narrower type has other bits. False
  /// where nobody can say which.
  bool ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item);
  void ReadArray(int slot, Handle array, ElementReading& reading);
  void ReadMemory(int slot);
  void Read(int slot);
  void Compute(int slot);
  void WriteSource(int slot, int64_t index);
  void WriteArray(int slot, int64_t index);
  void ImportSource(int slot);
  void WriteShared(int slot, int64_t index, bool by_consumer);
  void TakeView(int slot);
  void Reexport(int slot, int into);
  void DropArray(int slot, bool elsewhere);
  void DropCapsule(int slot);
  void DropProducer(int slot);

  // Exports and the C exchange API: life_export.cc
  void Make();
  void Export(int slot, bool without_max_version);
  bool BeginExport(int slot);
  bool HasCapsule(int slot);
  void LocateExport(int slot);
  void LoseCapsule(int slot, bool pending);
  void Inspect(int slot);
  void ReadExport(int slot);
  void WriteExport(int slot, int64_t index);
  void DropSource();
  void Delete(int slot, bool elsewhere);
  void DeleteTogether();
  void UseSource();
  void FindTable();
  bool HasTable();
  void Own(int slot, abi::DLManagedTensorVersioned* tensor);
  void TableExport(int slot);
  void TableImport(int slot);
  void TableView(int slot);
  void TableAllocate(int slot, Prototype kind);

  // The end of a life.
  void DropEverything();
  void DropSlot(int slot);
  void Note(int slot, Outcome outcome);
  bool Settled();

  static constexpr int kSource = -1;  // the library's own array, where a slot is meant

  /// What the library exported under the number of a slot. Starts anew with each export, whatever became of the last.
  struct Exported {
    void* managed = nullptr;
    bool taken = false;       // the engine owns the tensor: its capsule was consumed, or there was none
    bool lost = false;        // there is no capsule any more, or never was one
    int reexported_from = 0;  // 1 + the slot of the import that was exported; 0: the library's own array
    abi::DLManagedTensorVersioned view = {};  // around what dltensor_from_py_object filled in
  };

  /// One of the exchanges that a life keeps alive side by side: an import, and beside it an export.
  struct Slot {
    Handle array = nullptr;  // what the consumer made of it
    bool offered = false;
    bool bare = false;              // as a bare capsule
    bool capsule_dropped = false;   // the harness's own reference
    bool producer_dropped = false;  // likewise
    bool from_source = false;       // the consumer was given the producer's array, not an offer
    Exported out;
  };

  /// What somebody wrote into an element, so that later readings expect it.
  struct Written {
    int slot;
    int64_t index;
    uint8_t bits[16];
  };
  void Remember(int slot, int64_t index, const uint8_t* bits, int64_t item);

  Subject& subject_;   // makes and exports
  Subject& consumer_;  // imports; the same one, but for a pair
  Forge& forge_;
  Scratch& scratch_;
  const Recipe& recipe_;
  Ledger& ledger_;
  Handle source_ = nullptr;
  Slot slots_[kSlots];
  int written_count_ = 0;
  Written written_[kSteps] = {};  // the latest; older ones were overwritten
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_LIFE_RUN_H_
