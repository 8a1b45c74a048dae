// harness/forge/forge.h: makes a live struct of an offer, in instrumented memory.
//
// Several forges exist at the same time, each with its own memory and slots; each engine uses one. The memory is
// reserved once. Each slot has a struct, a shape array and a strides array that end at inaccessible pages, and a data
// area between two such pages. An area of 64 MiB is mapped only for offers that need it. The memory stays reserved when
// its forge is destroyed, so a wrong or late call of a deleter is recorded and does no harm.
//
// Deleters and the fault handler find the forge of a tensor by themselves, on any thread. One thread at a time may call
// everything else. An ordinary exchange makes no system call.
#ifndef DLPACK_CTS_HARNESS_FORGE_FORGE_H_
#define DLPACK_CTS_HARNESS_FORGE_FORGE_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "harness/forge/device.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

class Forge;
namespace forge {
struct ForgeState;
}

/// What the bridge knows about the thread that calls a deleter. Both functions may be NULL.
struct ThreadProbe {
  int (*holds_gil)() = nullptr;
  int (*has_pending_exception)() = nullptr;
};

/// A live offer. Its pointers stay readable (unless sealed) until the next Make() for the slot.
struct Offered {
  Forge* forge;  // the forge that made it
  StructKind kind;
  void* managed;             // DLManagedTensor* or DLManagedTensorVersioned*; NULL for a borrowed DLTensor
  abi::DLTensor* tensor;     // inside the struct
  const char* capsule_name;  // from the offer's kind of name; NULL for CapsuleName::kNone
  const char* used_name;     // the name that a consumer must set
  /// The result of current_work_stream of a forged table, for the device of the offer.
  uint64_t work_stream = 0;
  /// If not NULL, __dlpack__ calls it before it returns the capsule, with `on_export_of` and its stream argument; the
  /// functions of a forged table call it with the work stream.
  void (*on_export)(void* on_export_of, const Argument& stream) = nullptr;
  void* on_export_of = nullptr;
};

class Forge {
 public:
  static constexpr int kLiveForges = 32;  // in one process

  /// Maps the memory, or reuses that of a destroyed forge. Aborts with a message if the system refuses, or if there are
  /// more than kLiveForges.
  Forge();
  /// Later calls of the deleters of its tensors do nothing, and write to no ledger.
  ~Forge();
  Forge(const Forge&) = delete;
  Forge& operator=(const Forge&) = delete;

  /// Makes the offer in `slot`, and writes its events to `ledger` from now on. Slots above 0 get the same fields, but
  /// other element values.
  Offered Make(const Offer& offer, int slot, Ledger& ledger);

  /// Makes the offer with the struct address of slot `of`, and the data area of `slot`. If the tensor at that address
  /// was not released, works like Make().
  Offered MakeInPlaceOf(const Offer& offer, int slot, int of, Ledger& ledger);

  /// From now on offers with Placement::kDevice are in this memory, which must outlive their slots. NULL: they have no
  /// memory.
  void SetDeviceMemory(DeviceMemory* memory);
  /// From now on they are in host memory. So the reference, which has no devices, imports them too.
  void StandInForDevices();
  bool StandsIn() const;
  /// Whether the slot's elements are in device memory, or in host memory that stands for it.
  bool IsOnDevice(int slot) const;
  /// Start and end of the memory from the lowest element to the highest.
  std::pair<uint64_t, uint64_t> ElementBytes(int slot) const;

  /// Calls the deleter of a struct as a conforming capsule destructor does. Does nothing if the deleter is NULL, or no
  /// forge has a live offer there.
  static void ReleaseFromDestructor(const void* managed);

  /// From now on the deleter makes struct, shape, strides and data inaccessible, so that later use is a fault.
  void SealOnDelete(bool seal);

  /// Writes an exchange table with these functions to the slot's table memory, which is read-only. If its major version
  /// is not 1, the part after the header is not readable. prev_api leads to the tables of `older`, in that order. Call
  /// it after Make().
  const abi::DLPackExchangeAPI* MakeTable(int slot, abi::DLPackExchangeAPI table,
                                          std::vector<abi::DLPackExchangeAPI> older);
  /// An address in inaccessible memory, so that its use as a table or a tensor is a fault.
  void* Inaccessible(int slot) const;
  /// Fills `view` with the slot's tensor. Its shape and strides can be read until EndView().
  void MakeView(int slot, abi::DLTensor* view);
  void EndView(int slot);

  /// The slot's tensor, which was not released, is exported once more. As long as another export has it, a deleter call
  /// ends only that export.
  void Share(int slot);

  uint64_t FirstElement(int slot) const;
  /// The position of the address relative to the slot's offer.
  Location Locate(int slot, uint64_t address) const;

  /// Whether `size` bytes at `address` are readable. Asks the kernel; causes no fault.
  static bool IsReadable(uint64_t address, uint64_t size);

  /// While it exists, no code of a library may run on this thread, except before Renew(). IsReadable() then checks the
  /// fault handlers only once.
  class Looking {
   public:
    Looking();
    ~Looking();
    /// A library has run, and may have replaced the handlers: the next IsReadable() checks them again.
    static void Renew();
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;
  };

  /// Writes new bits to element `index` (row-major) of the slot, and returns them in `bits` (ItemSize bytes).
  void WriteElement(int slot, int64_t index, uint64_t salt, uint8_t* bits);
  void ReadElement(int slot, int64_t index, uint8_t* bits) const;
  /// The library was asked to write element `index`, so a change there is not damage.
  void ExpectWrite(int slot, int64_t index);

  /// Compares struct, metadata, data, gaps and canaries with the original ones. Writes changed_parts and changed_bytes.
  void CheckUnchanged(int slot);

  /// Sets the phase of later deleter calls and capsule uses: 0 in from_dlpack, 1 while the array exists, 2 afterwards.
  void SetPhase(int slot, int phase);
  bool Released(int slot) const;
  bool HasDeleter(int slot) const;

  /// Installs signal handlers that record a fault in the memory of any forge, and let the program continue. Any other
  /// fault goes to the handler that was installed before. Call it after the library's import, and again after a fork.
  static void InstallFaultHandler();
  void SetThreadProbe(ThreadProbe probe);
  /// Sets what runs inside the first call of a live tensor's deleter, on the calling thread, after the call was
  /// recorded. Empty: nothing. An earlier function may still run until AwaitWithin() returns.
  void SetWithin(std::function<void(int slot)> within);
  /// Waits until the function has run for every released tensor, because a library may call deleters on its own
  /// threads.
  void AwaitWithin() const;

  /// Makes every page accessible again and forgets all slots. Call it between two recipes; usually it costs nothing.
  void Reset();
  /// Calls of this forge's deleters while no offer was live, after Reset(). They are in no ledger.
  int64_t LateDeletes() const;

 private:
  forge::ForgeState* state_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_FORGE_FORGE_H_
