// harness/forge/forge.h: turns an offer into a live struct in instrumented memory.
//
// Several forges live side by side, each with memory and slots of its own; each engine uses one. The memory is reserved
// once: for each slot a struct, a shape array and a strides array that end at inaccessible pages, a data area between
// two of them, and a large one of 64 MiB, which is opened when an offer needs it and given back behind the exchange. It
// stays reserved when its forge is gone, so a wrong or late call of the deleter is recorded and does no harm. Deleters
// and the fault handler find the forge that a tensor belongs to by themselves, on any thread. All else is called by one
// thread at a time. The plain path costs no system call per exchange.
#ifndef DLPACK_CTS_HARNESS_FORGE_FORGE_H_
#define DLPACK_CTS_HARNESS_FORGE_FORGE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

class Forge;
namespace forge {
struct ForgeState;
}

/// What the forge knows of the thread that calls the deleter; the bridge supplies it for CPython. Both may be NULL.
struct ThreadProbe {
  int (*holds_gil)() = nullptr;
  int (*has_pending_exception)() = nullptr;
};

/// A live offer. Pointers stay readable (unless sealed) until the next Make() for the slot.
struct Offered {
  Forge* forge;  // that made it
  StructKind kind;
  void* managed;             // DLManagedTensor* or DLManagedTensorVersioned*; NULL for a view
  abi::DLTensor* tensor;     // inside the struct
  const char* capsule_name;  // as the offer's name kind says; NULL for CapsuleName::kNone
  const char* used_name;     // the name that a consumer has to give it
  /// If not NULL, __dlpack__ calls it with `on_export_of` and the stream that it got, before it returns the capsule.
  void (*on_export)(void* on_export_of, const Argument& stream) = nullptr;
  void* on_export_of = nullptr;
};

class Forge {
 public:
  static constexpr int kLiveForges = 32;  // of one process

  /// Maps the memory, or takes over that of a forge that is gone. Aborts with a clear sentence when the machine
  /// refuses, or when there are more than kLiveForges.
  Forge();
  /// Later calls of the deleters of its tensors touch nothing and write to no ledger.
  ~Forge();
  Forge(const Forge&) = delete;
  Forge& operator=(const Forge&) = delete;

  /// Makes the offer live in `slot` and starts writing its events to `ledger`. Slots above 0 get an offer of their own:
  /// same fields, other element values.
  Offered Make(const Offer& offer, int slot, Ledger& ledger);

  /// Makes the offer live at the struct address of `of`, with the data area of `slot`. Where the tensor that lies at
  /// that address was not released, as Make().
  Offered MakeInPlaceOf(const Offer& offer, int slot, int of, Ledger& ledger);

  /// The next offer that is placed on a device has its element 0 there, in memory that is not the forge's.
  void PlaceOnDevice(int slot, uint64_t element0);

  /// Calls the deleter of a struct as a conforming capsule destructor does: nothing for a NULL deleter, or where no
  /// offer of any forge is live.
  static void ReleaseFromDestructor(const void* managed);

  /// From now on the deleter makes struct, shape, strides and data inaccessible, so that later use is a fault.
  void SealOnDelete(bool seal);

  /// Puts a table of the C exchange API, with these functions, where the table of the slot always lies: in memory that
  /// cannot be written, and whose body cannot be read where its major version is not 1. `older` become the tables
  /// behind prev_api, in that order. Call after Make().
  const abi::DLPackExchangeAPI* MakeTable(int slot, abi::DLPackExchangeAPI table,
                                          std::vector<abi::DLPackExchangeAPI> older);
  /// The address of inaccessible memory, for whoever takes anything for a table or a tensor.
  void* Inaccessible(int slot) const;
  /// Fills `view` with the slot's tensor. Its shape and strides can be read until EndView().
  void MakeView(int slot, abi::DLTensor* view);
  void EndView(int slot);

  uint64_t FirstElement(int slot) const;
  /// Where the address lies as seen from the slot's offer.
  Location Locate(int slot, uint64_t address) const;

  /// True when `size` bytes at `address` lie in readable memory (asks the kernel; no fault is raised).
  static bool IsReadable(uint64_t address, uint64_t size);

  /// While one lives, no code of a library runs on this thread: IsReadable asks once who handles faults.
  class Looking {
   public:
    Looking();
    ~Looking();
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;
  };

  /// Writes new bits into row-major element `index` of the slot, and returns the bytes written in `bits` (ItemSize).
  void WriteElement(int slot, int64_t index, uint64_t salt, uint8_t* bits);
  void ReadElement(int slot, int64_t index, uint8_t* bits) const;
  /// Tells the forge that the library was asked to write element `index`, so that the change is not damage.
  void ExpectWrite(int slot, int64_t index);

  /// Compares struct, metadata, data, gaps and canaries with what was made, and writes changed_parts and changed_bytes.
  void CheckUnchanged(int slot);

  /// Deleter calls and capsule use are attributed to `phase`: 0 in from_dlpack, 1 while the array lives, 2 after.
  void SetPhase(int slot, int phase);
  bool Released(int slot) const;
  bool HasDeleter(int slot) const;

  /// Installs the handlers that turn a fault in the memory of any forge into a record and let the program go on; any
  /// other fault goes to the handler that was there before. Call after the library's import, and again after a fork.
  static void InstallFaultHandler();
  void SetThreadProbe(ThreadProbe probe);
  /// What runs inside the first call of a live tensor's deleter, on the thread that calls it, behind its record; empty
  /// for nothing. What was set before may still run until AwaitWithin().
  void SetWithin(std::function<void(int slot)> within);
  /// Waits until it has run for every tensor that was released: a library may call deleters on threads of its own.
  void AwaitWithin() const;

  /// Makes every page accessible again and forgets all slots. Between two recipes; costs nothing on the plain path.
  void Reset();
  /// Calls of the deleters of this forge that came while no offer was live, after Reset(). They belong to no ledger.
  int64_t LateDeletes() const;

 private:
  forge::ForgeState* state_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_FORGE_FORGE_H_
