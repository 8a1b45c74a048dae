// engine/life_state.h: the state of one run of a recipe's life: what it uses, and what its steps have left so far.
//
// Each part of the engine (steps.h) runs its steps on this state. The parts read the recipe and write the ledger; they
// keep no state of their own.
#ifndef DLPACK_CTS_ENGINE_LIFE_STATE_H_
#define DLPACK_CTS_ENGINE_LIFE_STATE_H_

#include <algorithm>

#include "engine/cuda_driver.h"
#include "engine/effort.h"
#include "engine/scratch.h"
#include "engine/threads.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"
#include "subject/subject.h"

namespace dlpack_cts {

struct LifeState {
  /// An array that the library made.
  struct Source {
    Handle array = nullptr;
    Subject* owner = nullptr;
    int request = 0;                // the block of the recipe that it was made for
    int calls = 0;                  // as Slot::calls
    bool changed = false;           // in place, since it was described
    bool elements_unknown = false;  // a write may have changed its memory or only a copy
    bool strides_known = false;
    int64_t strides[kDims] = {};  // in bytes, as the library described the new array
  };

  /// The export of a slot. It is reset before each export.
  struct Exported {
    Subject* owner = nullptr;  // the library that made it
    void* managed = nullptr;
    bool taken = false;             // the engine owns the tensor: it consumed the capsule, or there was none
    bool lost = false;              // the capsule was dropped, or never existed
    int reexported_from = 0;        // 1 + the slot of the import that was exported; 0: an array that the library made
    int source = 0;                 // the slot of the array that the library made
    bool elements_unknown = false;  // as Source::elements_unknown
    abi::DLManagedTensorVersioned view = {};  // wraps what dltensor_from_py_object_no_sync filled in
  };

  /// One of the exchanges of a life: an import, and an export.
  struct Slot {
    Subject* owner = nullptr;  // the library that imports
    Handle array = nullptr;    // the result of the import
    int block = 0;             // the offer in this slot
    int calls = 0;             // calls of the library that use the slot at the moment, on any lane
    bool offered = false;
    bool bare = false;              // imported as a bare capsule
    bool capsule_dropped = false;   // the harness's own reference
    bool producer_dropped = false;  // the harness's own reference
    bool view = false;              // `array` is a view of the described array
    bool elements_unknown = false;  // as Source::elements_unknown
    bool written = false;           // the library has written; its array may lie in other memory since
    bool watched = false;           // whether `array` is alive can be asked, also after it was dropped
    bool closed = false;            // the array was closed: the library may release its memory at any time
    bool from_source = false;       // the consumer imported an array of the producer, not an offer
    int source = 0;                 // the slot of that array
    Exported out;
  };

  Subject& producer;  // makes and exports, unless the step says otherwise
  Subject& consumer;  // imports, unless the step says otherwise; another library only in a pair
  Forge& forge;
  Threads& threads;
  Scratch& scratch;
  Patience& patience;  // owned by the engine
  Effort effort;
  const CudaDriver* driver;  // NULL without a driver
  const Recipe& recipe;
  Ledger& ledger;

  Source sources[kSlots] = {};
  Slot slots[kSlots] = {};
  bool lanes = false;  // more than one lane runs
  int spare = -1;      // the slot of a tensor that a deleter imported, and that must be released

  ImportLedger& import(int slot) { return ledger.imports[slot]; }
  ExportLedger& exported(int slot) { return ledger.exports[slot]; }
  /// For reading only: other access marks a block of the ledger as used.
  const Ledger& seen() const { return ledger; }
  void Note(int slot, Outcome outcome) {
    ledger.Add(outcome == Outcome::kAccepted ? Seen::kAccepted : Seen::kRefused, slot);
  }

  /// The blocks that the steps named: for the slot's offer, and for the made array.
  const Offer& offer(int slot) const { return recipe.offer(slots[slot].block); }
  const Request& request(int source) const { return recipe.request(sources[source].request); }
  abi::DLDataType DtypeOf(int slot) const {
    return slots[slot].from_source ? request(slots[slot].source).dtype : offer(slot).dtype;
  }

  /// The slot of the made array that the step uses.
  static int SourceOf(const Step& step) { return std::max(OtherSlot(step), 0); }
  /// The library that runs the step. In a pair either library may make, export and import.
  Subject& ProducerOf(const Step& step) { return step.actor == Actor::kConsumer ? consumer : producer; }
  Subject& ConsumerOf(const Step& step) { return step.actor == Actor::kProducer ? producer : consumer; }
  bool IsPair() const { return &consumer != &producer; }
  /// Clears a pending exception, so that the next step does not see it. True if there was one.
  bool ForgetException() const {
    const bool left = producer.runtime().ForgetException() == Answer::kYes;
    return (IsPair() && consumer.runtime().ForgetException() == Answer::kYes) || left;
  }

  /// Whether the exported struct can be used: its capsule is alive, or the tensor was taken from it.
  bool HasCapsule(int slot) const {
    const Exported& out = slots[slot].out;
    return out.managed != nullptr && (out.taken || !out.lost) &&
           seen().exports[slot].export_call.outcome == Outcome::kAccepted;
  }
  /// The same, and its deleter was not called.
  bool HasExport(int slot) const { return HasCapsule(slot) && !seen().exports[slot].deleted; }
};

/// Runs every step of the life, then drops what is left (life_run.cc).
void RunLife(LifeState& life);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_LIFE_STATE_H_
