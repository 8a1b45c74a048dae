// adapters/python/producer.h: the fake producer that hands an offer to the library, and its capsules.
//
// A slot has one struct. Its first capsule owns it. When __dlpack__ is called again, the same capsule is handed out
// while it is alive and unused (counted once); once its tensor was released, the offer is made anew and gets a new
// capsule. So retry ladders stay exact: ImportLedger::capsules counts tensors handed out, and the deleter has to run
// once for each.
#ifndef DLPACK_CTS_ADAPTERS_PYTHON_PRODUCER_H_
#define DLPACK_CTS_ADAPTERS_PYTHON_PRODUCER_H_

#include "adapters/python/object.h"
#include "harness/forge/forge.h"

namespace dlpack_cts {

/// What the harness keeps of one offer while it lives.
struct ProducerSlot {
  const Recipe* recipe = nullptr;
  Ledger* ledger = nullptr;
  int slot = 0;
  Offered offered{};
  PyObject* capsule = nullptr;   // own reference, or NULL
  PyObject* producer = nullptr;  // own reference, or NULL
};

/// Makes the type once per interpreter. False with an exception set.
bool MakeProducerType();

/// A new fake producer for the slot.
Ref MakeProducer(ProducerSlot& slot);

/// A capsule for the slot's offer, under the rules above; a new reference.
Ref HandOutCapsule(ProducerSlot& slot);

/// Reads name, pointer, context and destructor of the slot's capsule into its ledger.
void InspectCapsule(ProducerSlot& slot);

/// Tells which published name a capsule carries.
NameSeen SeenName(const char* name);

/// 1 when the bytes lie in a mapping of a file (rodata), 2 otherwise.
uint8_t Storage(const void* bytes);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_PYTHON_PRODUCER_H_
