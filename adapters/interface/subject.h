// adapters/interface/subject.h: a library under test, seen through the producer/consumer interface.
//
// The engine (engine.h) drives it step by step. Implementations are the CPython bridge and the wrapper of native
// plug-ins. Any method may crash, hang or return wrong values, so the caller runs in a process that may be lost.
// Methods record in the ledger what they saw, and return handles. If a handle is NULL, the Refusal has the reason.
// Methods do not throw, but a C++ exception of the library passes through them and ends the process in Engine::Run(). A
// process may have several subjects. Each has its own engine, and only one runs at a time.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_SUBJECT_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_SUBJECT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/case/profile.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

struct Reference;  // adapters/reference/instance.h

/// An array of the library, or an exported tensor. Owned by the caller until the matching Drop call.
using Handle = void*;

/// What the subject reports about itself, for the header of the results.
struct SubjectInfo {
  std::string name;
  std::string version;
  std::string interpreter;  // "CPython 3.11.7", or "native"
};

/// Whether an exception that was pending before a call is pending after it.
enum class Survival : uint8_t { kNotKnown, kSurvived, kLost };

class Subject {
 public:
  static constexpr int64_t kRaised = -2;

  virtual ~Subject() = default;

  virtual SubjectInfo Info() = 0;
  virtual bool IsPython() const = 0;
  /// If the subject is the reference: its instance, whose behaviour a mutant changes. NULL for a library.
  virtual Reference* AsReference() { return nullptr; }
  /// Claims of library.toml that the installed version of the library does not support.
  virtual std::vector<std::string> Lacks() { return {}; }
  /// From now on the library is called as [profile] of library.toml, or a variant of the reference, declares.
  virtual void Follow(const Declared& declared) { (void)declared; }

  // ---- The subject as a consumer.

  /// Until EndLife() the types of fake producers have that table of the C exchange API.
  virtual void ForgeTable(const ForgedTable& table) { (void)table; }
  /// Imports the offer in `slot` into the library, with the arguments of `call`: through a new fake producer, or as a
  /// bare capsule. Fills ledger.imports[slot]: import, calls, capsules, names. The slot's producer and a reference to
  /// its capsule stay alive until DropProducer / DropCapsule.
  virtual Handle Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                        Ledger& ledger) = 0;
  /// Imports the slot's producer (or capsule) again. Fills imports[slot].again.
  virtual Handle ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) = 0;
  virtual void DropCapsule(int slot) = 0;
  virtual void DropProducer(int slot) = 0;
  /// Reads the capsule's name, pointer, context and destructor into imports[slot].name_after and capsule_*_changed.
  virtual void InspectCapsule(int slot, Ledger& ledger) = 0;

  // ---- Arrays of the library.

  virtual void Describe(Handle array, Description& description) = 0;
  /// The library's own conversion of all elements, row-major. Returns the number of bytes, -1 if the library has no
  /// conversion, or kRaised.
  virtual int64_t Values(Handle array, std::span<uint8_t> out) = 0;
  /// The first error of the adapter since the last call of this: its describe() or values() raised, or returned
  /// something unusable. Empty without an error. Cases continue without that result; the probes do not.
  virtual std::string TakeComplaint() { return {}; }
  /// The same for violations of the plug-in interface: success without a result, or an undefined code.
  virtual std::string TakeBreach() { return {}; }
  /// As TakeComplaint() for the other hooks: compute(), view(), write(), device() or export() raised an exception that
  /// looks like a bug (AttributeError, NameError; TypeError except in export()), or returned something unusable. A
  /// library may do that for arrays that it does not support, so it only counts for the default array.
  virtual std::string TakeHookFailure() { return {}; }
  /// An elementwise copy computed by the library; NULL when the adapter has no such hook or the library raised.
  virtual Handle Compute(Handle array) = 0;
  /// As Values(), for an array on a CUDA device: the elements that work on the library's stream reads.
  virtual int64_t Fetch(Handle array, std::span<uint8_t> out) {
    (void)array, (void)out;
    return -1;
  }
  /// A view of the array that keeps its memory alive and has the same elements; NULL as for Compute.
  virtual Handle View(Handle array) = 0;
  /// Writes the bits into row-major element `index`. False with `refusal` filled.
  virtual bool Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) = 0;
  virtual bool ChangeMetadata(Handle array, int how, Refusal& refusal) = 0;
  virtual void Drop(Handle array) = 0;
  /// Collects garbage and lets the library flush deferred releases.
  virtual void Collect() = 0;
  /// The number of live memory blocks that its language counts, or 0 if it does not count them.
  virtual int64_t LiveObjects() { return 0; }
  /// Reference count of the array object, or 0 without one.
  virtual int64_t References(Handle array) = 0;

  // ---- The subject as a producer.

  /// Makes an array of the library. `backing` holds the elements of the backing store (see Request).
  virtual Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) = 0;
  /// Starts to watch whether the array object is alive, under that number. False if it cannot be watched.
  virtual bool Watch(Handle array, int slot) = 0;
  virtual bool WatchedIsAlive(int slot) = 0;
  /// The handle of the CUDA stream on which the library works with the array, or -1 if it is unknown.
  virtual int64_t WorkStream(Handle array) {
    (void)array;
    return -1;
  }
  /// Ends the exchange: if the library kept a producer or a capsule of it, that no longer writes to a ledger.
  virtual void EndLife() {}
  /// Later collections ignore everything that was leaked so far.
  virtual void WriteOffLeaks() {}

  /// Exports as `call` says. Fills exports[slot] from the capsule and the struct; the capsule is held per slot.
  virtual void Export(Handle array, const Call& call, int slot, Ledger& ledger) = 0;
  /// The exported struct of the slot, or NULL.
  virtual void* ExportedStruct(int slot) = 0;
  /// Renames the slot's capsule to its used name: from now on the engine owns the tensor.
  virtual void TakeCapsule(int slot) = 0;
  /// Drops the slot's exported capsule.
  virtual void LoseCapsule(int slot) = 0;
  /// Calls __dlpack_device__. Fills device_call and device*.
  virtual void AskDevice(Handle array, SourceLedger& source) = 0;

  // ---- Two libraries in one process.

  /// Imports an array of another library directly, with the arguments of `call`, without a fake producer.
  virtual Handle ImportForeign(Handle foreign, const Request& request, const Call& call, Refusal& refusal) {
    (void)foreign, (void)request, (void)call;
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }

  // ---- The C exchange API of the type of this library's arrays. The defaults are those of a subject without one.

  /// Looks the table up on the type of `array`, and compares it with what an earlier lookup in this life found.
  virtual void FindTable(Handle array, TableLedger& table) { (void)array, (void)table; }
  /// The functions of the table that was found. Each fills its entry of table.calls; what it returns is the caller's.
  virtual abi::DLManagedTensorVersioned* TableExport(Handle array, TableLedger& table, Refusal& refusal) {
    (void)array, (void)table;
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  virtual Handle TableImport(abi::DLManagedTensorVersioned* tensor, TableLedger& table, Refusal& refusal) {
    (void)tensor, (void)table;
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  virtual bool TableView(Handle array, abi::DLTensor* view, TableLedger& table, Refusal& refusal) {
    (void)array, (void)view, (void)table;
    refusal.outcome = Outcome::kUnsupported;
    return false;
  }
  virtual abi::DLManagedTensorVersioned* TableAllocate(abi::DLTensor* prototype, TableLedger& table, Refusal& refusal) {
    (void)prototype, (void)table;
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  virtual void TableStream(abi::DLDevice device, TableLedger& table) { (void)device, (void)table; }

  // ---- Threads, and the contexts in which a library may be called.

  /// Before and after calls of the subject on a thread that the harness made. In between the thread holds the GIL, if
  /// there is one. The engine's own thread needs neither.
  virtual void Attach() {}
  virtual void Detach() {}
  /// Releases the GIL while `work` runs, which waits for other threads.
  virtual void Waiting(const std::function<void()>& work) { work(); }
  /// With true, the interpreter switches threads as often as possible. With false, as usual.
  virtual void Hurry(bool hurries) { (void)hurries; }
  /// Runs `work`, which calls the subject, inside a deleter: on any thread and in any state, which is restored
  /// afterwards. Does nothing after the end of the runtime.
  virtual void Aside(const std::function<void()>& work) { work(); }
  /// Runs `work` with a pending exception, and returns whether it is still pending. kNotKnown without exceptions.
  virtual Survival WithPendingException(const std::function<void()>& work) {
    work();
    return Survival::kNotKnown;
  }
  /// Runs `work`, which calls a deleter, on a thread that does not hold the GIL. Sets `frees` at once: kYes if that
  /// thread allocates or frees memory of the interpreter without the GIL, kNo if not; unchanged if that cannot be
  /// observed. Call it between PrepareToWatch(true) and PrepareToWatch(false), which are called on the engine's own
  /// thread.
  virtual void WatchUnlocked(const std::function<void()>& work, Answer* frees) {
    (void)frees;
    work();
  }
  virtual void PrepareToWatch(bool watches) { (void)watches; }
  /// Clears the pending exception. kYes if there was one; kUnknown without exceptions.
  virtual Answer ForgetException() { return Answer::kUnknown; }
  /// Runs `work` in a fork of this process, in that context, which is one that ends a process. kYes if `work` returns,
  /// kNo if it crashes the fork. kUnknown without an interpreter, or if the fork ended earlier.
  virtual Answer InCopy(Context context, const std::function<void()>& work) {
    (void)context, (void)work;
    return Answer::kUnknown;
  }
  /// Runs `work` during a garbage collection, or directly if there is no garbage collector.
  virtual void InCollection(const std::function<void()>& work) { work(); }
  virtual ThreadProbe Probe() = 0;

  /// Before and after a fork of the process that holds the subject.
  virtual void BeforeFork() {}
  virtual void AfterForkInParent() {}
  virtual void AfterForkInChild() {}
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_SUBJECT_H_
