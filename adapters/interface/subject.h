// adapters/interface/subject.h: a library under test, seen through the producer/consumer interface.
//
// The engine (engine.h) drives it step by step; implementations are the CPython bridge and the wrapper of native
// plug-ins. Every method may die, hang or lie: the caller runs in a process that may be lost. Methods write what they
// saw into the ledger and return handles; a NULL handle means that the Refusal tells why. No method throws on its own
// account; a C++ exception of the library passes through it and ends the process in Engine::Run(). Several subjects
// live side by side in a process, each driven by an engine of its own, one at a time.
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

/// What the subject says of itself, for the header of the results.
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
  /// The instance of the reference that the subject is, whose behaviour a mutant changes; NULL for a library.
  virtual Reference* AsReference() { return nullptr; }
  /// Claims of library.toml that the installed version of the library does not keep.
  virtual std::vector<std::string> Lacks() { return {}; }
  /// From now on the library is called in these ways, which library.toml declares, or a variant of the reference.
  virtual void Follow(const Declared& declared) { (void)declared; }

  // ---- A consumer is fed.

  /// Until EndLife() the types of fake producers carry that table of the C exchange API.
  virtual void ForgeTable(const ForgedTable& table) { (void)table; }
  /// Gives the offer in `slot` to the library (through a new fake producer, or as a bare capsule) as `call` says. Fills
  /// ledger.imports[slot]: import, calls, capsules, names. The slot's producer and an own reference to its capsule stay
  /// alive until DropProducer / DropCapsule.
  virtual Handle Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                        Ledger& ledger) = 0;
  /// Gives the slot's producer (or capsule) to the library once more. Fills imports[slot].again.
  virtual Handle ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) = 0;
  virtual void DropCapsule(int slot) = 0;
  virtual void DropProducer(int slot) = 0;
  /// Reads the capsule's name, pointer, context and destructor into imports[slot].name_after and capsule_*_changed.
  virtual void InspectCapsule(int slot, Ledger& ledger) = 0;

  // ---- Any array of the library.

  virtual void Describe(Handle array, Description& description) = 0;
  /// The library's own conversion of all elements, row-major. Returns the number of bytes, -1 where there is
  /// none, or kRaised.
  virtual int64_t Values(Handle array, std::span<uint8_t> out) = 0;
  /// What the adapter is to blame for since the last call of this: its describe() or values() raised, or gave what
  /// nobody can read. Empty when nothing is wrong. Cases go on without that reading; the probes do not.
  virtual std::string TakeComplaint() { return {}; }
  /// The same for what its own contract with the suite excludes, whatever the library does: a plug-in's success without
  /// a result, or a code that is none.
  virtual std::string TakeBreach() { return {}; }
  /// As TakeComplaint() of its other hooks: one of compute(), view(), write(), device(), export() raised what only a
  /// mistake in a program raises (AttributeError, NameError; TypeError but in export()), or returned nothing that can
  /// be used. A library may do that for arrays that it cannot serve: it means something for the plainest array alone.
  virtual std::string TakeHookFailure() { return {}; }
  /// An elementwise copy computed by the library; NULL when the adapter has no such hook or the library raised.
  virtual Handle Compute(Handle array) = 0;
  /// As Values(), of an array in the memory of a CUDA device: what work of the library on its stream reads there.
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
  /// How many blocks of memory its language counts as alive now; 0 where it counts none.
  virtual int64_t LiveObjects() { return 0; }
  /// Reference count of the array object; 0 where there is none.
  virtual int64_t References(Handle array) = 0;

  // ---- A producer is asked.

  /// Has the library make the array; `backing` holds the elements of the backing store (see Request).
  virtual Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) = 0;
  /// Starts to watch whether the array object lives, under that number; false when it cannot be watched.
  virtual bool Watch(Handle array, int slot) = 0;
  virtual bool WatchedIsAlive(int slot) = 0;
  /// The handle of the CUDA stream on which the library works with the array; -1 where nobody says.
  virtual int64_t WorkStream(Handle array) {
    (void)array;
    return -1;
  }
  /// The life is over: what the library kept of it (a producer, a capsule) touches no ledger from now on.
  virtual void EndLife() {}
  /// What was leaked so far stays: later collections need not look at it.
  virtual void WriteOffLeaks() {}

  /// Exports as `call` says. Fills exports[slot] from the capsule and the struct; the capsule is held per slot.
  virtual void Export(Handle array, const Call& call, int slot, Ledger& ledger) = 0;
  /// The exported struct of the slot; NULL when there is none.
  virtual void* ExportedStruct(int slot) = 0;
  /// Renames the slot's capsule to its used name: from now on the engine owns the tensor.
  virtual void TakeCapsule(int slot) = 0;
  /// Drops the slot's exported capsule.
  virtual void LoseCapsule(int slot) = 0;
  /// Calls __dlpack_device__. Fills device_call and device*.
  virtual void AskDevice(Handle array, SourceLedger& source) = 0;

  // ---- Two libraries in one process.

  /// Gives an array of any library to this one, as `call` says, without a fake producer between them.
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

  // ---- Threads, and the states in which a library may be called.

  /// Before and after calls of the subject on a thread that the harness made: with the GIL in between, where there is
  /// one. The engine's own thread needs neither.
  virtual void Attach() {}
  virtual void Detach() {}
  /// Runs `work`, which waits for other threads, without the GIL that this thread holds.
  virtual void Waiting(const std::function<void()>& work) { work(); }
  /// From now on threads take the interpreter from each other as often as it lets them; back to the usual with false.
  virtual void Hurry(bool hurries) { (void)hurries; }
  /// Runs `work`, which calls the subject, within a deleter: on whatever thread, in whatever state, which comes back
  /// behind it. Does nothing where the runtime has ended.
  virtual void Aside(const std::function<void()>& work) { work(); }
  /// Runs `work` with an exception pending and tells whether it still is; kNotKnown where there is nothing of the kind.
  virtual Survival WithPendingException(const std::function<void()>& work) {
    work();
    return Survival::kNotKnown;
  }
  /// Runs `work`, which calls a deleter, on a thread that holds no lock of the runtime. kYes in `frees`, at once, where
  /// that thread takes or frees memory of the runtime's without the lock, kNo where it does not; left as it is where
  /// nobody can see that. Between PrepareToWatch(true) and PrepareToWatch(false), on the engine's own thread.
  virtual void WatchUnlocked(const std::function<void()>& work, Answer* frees) {
    (void)frees;
    work();
  }
  virtual void PrepareToWatch(bool watches) { (void)watches; }
  /// Forgets the exception that is pending: kYes where one was. kUnknown where there is nothing of the kind.
  virtual Answer ForgetException() { return Answer::kUnknown; }
  /// Runs `work` in a copy of this process in that context, which is one of those that end a process: kYes where it
  /// comes back there, kNo where it ends the copy. kUnknown where there is no interpreter, or where the copy did not
  /// come so far.
  virtual Answer InCopy(Context context, const std::function<void()>& work) {
    (void)context, (void)work;
    return Answer::kUnknown;
  }
  /// Runs `work` out of a garbage collection; as it is where there is none.
  virtual void InCollection(const std::function<void()>& work) { work(); }
  virtual ThreadProbe Probe() = 0;

  /// Before and after a fork of the process that holds the subject.
  virtual void BeforeFork() {}
  virtual void AfterForkInParent() {}
  virtual void AfterForkInChild() {}
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_SUBJECT_H_
