// bridge/producer.h: the fake producer that hands an offer to the library, and its capsules.
//
// A slot has one struct, so it has one living tensor. While the tensor lives, every call of __dlpack__ hands out the
// same capsule, used or not (counted once); once it was released, the offer is made anew and gets a new capsule. So
// retry ladders stay exact: ImportLedger::capsules counts tensors handed out, and the deleter has to run once for each.
//
// A library may keep producers and capsules longer than their exchange lasts. Each exchange of a slot has a number:
// what is left of an earlier one raises (a producer) or does nothing (a capsule's destructor), and touches no later
// ledger.
#ifndef DLPACK_CTS_BRIDGE_PRODUCER_H_
#define DLPACK_CTS_BRIDGE_PRODUCER_H_

#include <array>
#include <cstdint>
#include <memory>

#include "bridge/object.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// What the harness keeps of one offer while it lives.
struct ProducerSlot {
  int slot = 0;
  uint64_t exchange = 0;  // number of the exchange that runs; 0 where none does
  Offer offer{};
  Ledger* ledger = nullptr;
  Offered offered{};
  ForgedTable table{};           // on the producer's type
  bool handed = false;           // a function of the table gave the tensor away
  PyObject* capsule = nullptr;   // own reference, or NULL
  PyObject* producer = nullptr;  // own reference, or NULL
};

/// The slots of one subject. Producers share it, and capsules find it as long as it lives.
class ProducerTable {
 public:
  ProducerTable();
  ~ProducerTable();
  ProducerTable(const ProducerTable&) = delete;
  ProducerTable& operator=(const ProducerTable&) = delete;

  ProducerSlot& operator[](int slot) { return slots_[slot]; }
  ProducerSlot* begin() { return slots_; }
  ProducerSlot* end() { return slots_ + kSlots; }

  /// From the next exchanges on producers have that table, until all end.
  void Carry(const ForgedTable& table) { table_ = table; }
  /// Begins the slot's next exchange and drops what the last one left.
  void BeginExchange(int slot, const Offer& offer, const Offered& offered, Ledger& ledger);
  /// Ends all exchanges.
  void EndExchanges();
  /// A capsule's context names its exchange, and is ours to set: a consumer that changes it has tampered.
  void* ContextOf(const ProducerSlot& slot) { return &contexts_[slot.exchange % contexts_.size()]; }

 private:
  ProducerSlot slots_[kSlots];
  ForgedTable table_{};
  uint64_t exchanges_ = 0;
  std::array<char, 4096> contexts_;
};

/// The slot of the producer's exchange. NULL if the object is not a producer, or its exchange is over.
ProducerSlot* SlotOf(PyObject* object);

/// Makes the type once per interpreter. False with an exception set.
bool MakeProducerType();

/// A new fake producer for the slot's exchange; empty with an exception set.
Ref MakeProducer(const std::shared_ptr<ProducerTable>& table, int slot);

/// A capsule for the slot's offer, under the rules above; a new reference, or empty with an exception set.
Ref HandOutCapsule(ProducerTable& table, int slot);

/// The slot's tensor without a capsule; NULL with an exception set.
abi::DLManagedTensorVersioned* HandOutTensor(ProducerSlot& slot);

/// Reads name, pointer, context and destructor of the slot's capsule into its ledger.
void InspectCapsule(ProducerTable& table, int slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_PRODUCER_H_
