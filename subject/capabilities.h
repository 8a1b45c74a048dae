// subject/capabilities.h: the capabilities of a library under test: import, export, the exchange table, devices.
//
// Methods record in the ledger what they saw, and return handles. If a handle is NULL, the Refusal has the reason.
// Methods do not throw, but a C++ exception of the library passes through them and ends the process in Engine::Run().
#ifndef DLPACK_CTS_SUBJECT_CAPABILITIES_H_
#define DLPACK_CTS_SUBJECT_CAPABILITIES_H_

#include <cstdint>
#include <span>

#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/passed.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// An array of the library, or an exported tensor. The caller owns it until Subject::Drop().
using Handle = void*;

/// The library as a consumer.
class Importer {
 public:
  virtual ~Importer() = default;

  /// Until EndLife(), the types of fake producers publish that exchange table.
  virtual void ForgeTable(const ForgedTable& table) { (void)table; }
  /// Imports the offer in `slot` into the library, with the arguments of `call`: through a new fake producer, or as a
  /// bare capsule. Fills ledger.imports[slot]: import, calls, capsules, names. The slot's producer and a reference to
  /// its capsule stay alive until DropProducer / DropCapsule.
  virtual Handle Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                        Ledger& ledger) = 0;
  /// Imports the offer in `slot` by an entry that only uses the exchange table of the fake producer's type.
  virtual Handle ImportByTable(const Offer& offer, int slot, const Offered& offered, Ledger& ledger) {
    (void)offer, (void)offered;
    ledger.imports[slot].import.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  /// Describes the offer in `slot` through that table, without an import. Fills imports[slot].import and .result.
  virtual void Peek(const Offer& offer, int slot, const Offered& offered, Ledger& ledger) {
    (void)offer, (void)offered;
    ledger.imports[slot].import.outcome = Outcome::kUnsupported;
  }
  /// Imports the slot's producer (or capsule) again. Fills imports[slot].again.
  virtual Handle ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) = 0;
  /// Imports an array of another library directly, with the arguments of `call`, without a fake producer.
  virtual Handle ImportForeign(Handle foreign, const Request& request, const Call& call, Refusal& refusal) {
    (void)foreign, (void)request, (void)call;
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  virtual void DropCapsule(int slot) { (void)slot; }
  virtual void DropProducer(int slot) { (void)slot; }
  /// Reads the capsule's name, pointer, context and destructor into imports[slot].name_after and capsule_*_changed.
  virtual void InspectCapsule(int slot, Ledger& ledger) { (void)slot, (void)ledger; }
};

/// The numbers of watched arrays: the source of a slot has the slot's number, and its imported array this one.
constexpr int NumberOfImported(int slot) { return kSlots + slot; }
inline constexpr int kWatched = 2 * kSlots;

/// The library as a producer.
class Exporter {
 public:
  virtual ~Exporter() = default;

  /// Makes an array of the library. `backing` holds the elements of the backing store (see Request).
  virtual Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) = 0;
  /// Starts to watch whether the array object is alive, under that number below kWatched. False if it cannot be
  /// watched.
  virtual bool Watch(Handle array, int number) = 0;
  virtual bool WatchedIsAlive(int number) = 0;
  /// Exports with the arguments of `call`. Fills exports[slot] from the capsule and the struct; the slot holds the
  /// capsule.
  virtual void Export(Handle array, const Call& call, int slot, Ledger& ledger) = 0;
  /// The exported struct of the slot, or NULL.
  virtual void* ExportedStruct(int slot) = 0;
  /// Renames the slot's capsule to its used name. From then on the engine owns the tensor.
  virtual void TakeCapsule(int slot) = 0;
  /// Drops the slot's exported capsule.
  virtual void LoseCapsule(int slot) = 0;
  /// Calls __dlpack_device__. Fills device_call and device*.
  virtual void AskDevice(Handle array, SourceLedger& source) = 0;
};

/// The C exchange API that the type of the library's arrays publishes.
class ExchangeTable {
 public:
  virtual ~ExchangeTable() = default;

  /// Looks up the table on the type of `array`, and compares it with what an earlier look-up in this life found.
  virtual void Find(Handle array, TableLedger& table) = 0;
  /// The functions of the table. Each fills its entry of table.calls. The caller owns what they return.
  virtual abi::DLManagedTensorVersioned* Export(Handle array, TableLedger& table, Refusal& refusal) = 0;
  virtual Handle Import(abi::DLManagedTensorVersioned* tensor, TableLedger& table, Refusal& refusal) = 0;
  virtual bool View(Handle array, abi::DLTensor* view, TableLedger& table, Refusal& refusal) = 0;
  virtual abi::DLManagedTensorVersioned* Allocate(abi::DLTensor* prototype, TableLedger& table, Refusal& refusal) = 0;
  virtual void Stream(abi::DLDevice device, TableLedger& table) = 0;
  /// Calls managed_tensor_from_py_object_no_sync, or dltensor_from_py_object_no_sync, with another object than `array`.
  /// What it returns is not used.
  virtual void Misuse(TableFunction function, Passed passed, Handle array, TableLedger& table, Refusal& refusal) = 0;
};

/// References to the objects of the language that exchanges use.
class ReferenceCounter {
 public:
  virtual ~ReferenceCounter() = default;

  /// Starts to count. Until EndCounting() the objects of each exchange are kept. `array` is the exported one, or NULL
  /// for imports.
  virtual void BeginCounting(Handle array) = 0;
  /// The references that are left of all exchanges since then. The producer and the capsule of the latest import were
  /// dropped.
  virtual ReferenceGrowth EndCounting() = 0;
};

/// Arrays on CUDA devices.
class DeviceArrays {
 public:
  virtual ~DeviceArrays() = default;

  /// As Subject::Values(), for an array on a CUDA device: reads the elements with work on the library's stream.
  virtual int64_t Fetch(Handle array, std::span<uint8_t> out) = 0;
  /// The handle of the CUDA stream on which the library works with the array, made or imported, or -1 if it is unknown.
  virtual int64_t WorkStream(Handle array) = 0;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_CAPABILITIES_H_
