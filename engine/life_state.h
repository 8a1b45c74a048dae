// engine/life_state.h: one run of a recipe's life: what it runs with, and what its steps have left so far.
//
// Each part of the engine (steps.h) takes its steps on this state. The recipe is read, the
// ledger is written, and a part keeps nothing of either.
#ifndef DLPACK_CTS_ENGINE_LIFE_STATE_H_
#define DLPACK_CTS_ENGINE_LIFE_STATE_H_

#include <algorithm>
#include <cstdint>

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

  Subject& producer;  // makes and exports as a rule
  Subject& consumer;  // imports as a rule; the same one, but for a pair
  Forge& forge;
  Threads& threads;
  Scratch& scratch;
  Patience& patience;  // the engine's
  Effort effort;
  const CudaDriver* driver;  // NULL without one
  const Recipe& recipe;
  Ledger& ledger;

  Source sources[kSlots] = {};
  Slot slots[kSlots] = {};
  bool lanes = false;  // more than one runs
  int spare = -1;      // the slot of what a deleter imported, and has to be released

  ImportLedger& import(int slot) { return ledger.imports[slot]; }
  ExportLedger& exported(int slot) { return ledger.exports[slot]; }
  /// For reading alone: other access marks a block of the ledger as used.
  const Ledger& seen() const { return ledger; }
  void Note(int slot, Outcome outcome) {
    ledger.Add(outcome == Outcome::kAccepted ? Seen::kAccepted : Seen::kRefused, slot);
  }

  /// The blocks that the steps have named: of the slot's offer, and of the array that was made.
  const Offer& offer(int slot) const { return recipe.offer(slots[slot].block); }
  const Request& request(int source) const { return recipe.request(sources[source].request); }
  abi::DLDataType DtypeOf(int slot) const {
    return slots[slot].from_source ? request(slots[slot].source).dtype : offer(slot).dtype;
  }

  /// The slot of the array that the step is about, which the library made.
  static int SourceOf(const Step& step) { return std::max(OtherSlot(step), 0); }
  /// The library that runs the step: in a pair either one may make, export and import.
  Subject& ProducerOf(const Step& step) { return step.actor == Actor::kConsumer ? consumer : producer; }
  Subject& ConsumerOf(const Step& step) { return step.actor == Actor::kProducer ? producer : consumer; }
  bool IsPair() const { return &consumer != &producer; }
  /// What is pending is not for the next step to stumble over. True where something was.
  bool ForgetException() const {
    const bool left = producer.runtime().ForgetException() == Answer::kYes;
    return (IsPair() && consumer.runtime().ForgetException() == Answer::kYes) || left;
  }

  /// The export's struct is there to be used: its capsule is alive, or the tensor was taken from it.
  bool HasCapsule(int slot) const {
    const Exported& out = slots[slot].out;
    return out.managed != nullptr && (out.taken || !out.lost) &&
           seen().exports[slot].export_call.outcome == Outcome::kAccepted;
  }
  /// The same, and its deleter was not called.
  bool HasExport(int slot) const { return HasCapsule(slot) && !seen().exports[slot].deleted; }
};

/// Takes every step of the life, then drops what is left (life_run.cc).
void RunLife(LifeState& life);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_LIFE_STATE_H_
