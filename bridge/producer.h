// bridge/producer.h: the fake producer that offers a tensor to the library, and its capsules.
//
// A slot has one struct. Until a consumer has marked its capsule as used, every call of __dlpack__ returns the same
// one, which counts once. After that a call returns a new capsule with the same struct, or with a new one if the tensor
// was released, as a call of a real producer does. ImportLedger::capsules counts these exports, and the deleter must
// run once for each.
//
// A library may keep producers and capsules longer than their exchange. Each exchange of a slot has a number: a
// producer of an earlier exchange raises, and the destructor of an earlier capsule does nothing. Neither writes to a
// later ledger.
#ifndef DLPACK_CTS_BRIDGE_PRODUCER_H_
#define DLPACK_CTS_BRIDGE_PRODUCER_H_

#include <array>
#include <cstdint>
#include <memory>

#include "bridge/object.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// The state of one offer while its exchange runs.
struct ProducerSlot {
  int slot = 0;
  uint64_t exchange = 0;  // number of the running exchange; 0: none
  Offer offer{};
  Ledger* ledger = nullptr;
  Offered offered{};
  ForgedTable table{};           // published on the producer's type
  bool handed = false;           // a function of the table returned the tensor
  PyObject* capsule = nullptr;   // own reference, or NULL
  PyObject* producer = nullptr;  // own reference, or NULL
};

/// The slots of one subject. Its producers share it, and their capsules find it while it exists.
class ProducerTable {
 public:
  ProducerTable();
  ~ProducerTable();
  ProducerTable(const ProducerTable&) = delete;
  ProducerTable& operator=(const ProducerTable&) = delete;

  ProducerSlot& operator[](int slot) { return slots_[slot]; }
  ProducerSlot* begin() { return slots_; }
  ProducerSlot* end() { return slots_ + kSlots; }

  /// From the next exchange on producers publish that table, until all exchanges end.
  void Carry(const ForgedTable& table) { table_ = table; }
  /// Begins the slot's next exchange, and drops what the last one left.
  void BeginExchange(int slot, const Offer& offer, const Offered& offered, Ledger& ledger);
  /// Ends all exchanges.
  void EndExchanges();
  /// How many lives have ended.
  uint64_t lives() const { return lives_; }
  /// A capsule's context points to its exchange. A consumer must not change it.
  void* ContextOf(const ProducerSlot& slot) { return &contexts_[slot.exchange % contexts_.size()]; }

 private:
  ProducerSlot slots_[kSlots];
  ForgedTable table_{};
  uint64_t exchanges_ = 0;
  uint64_t lives_ = 0;  // that have ended
  std::array<char, 4096> contexts_;
};

/// The slot of the producer's exchange. NULL if the object is not a producer, or its exchange is over.
ProducerSlot* SlotOf(PyObject* object);

/// The type of the usual producers. Borrowed.
PyObject* ProducerType();

/// Makes the types, once per interpreter. False with an exception set.
bool MakeProducerType();

/// A fake producer for the slot's exchange: a new one, or that of another slot for Gives::kEarlierObject. Empty with an
/// exception set.
Ref MakeProducer(const std::shared_ptr<ProducerTable>& table, int slot);

/// A capsule of the slot's offer, as the comment at the top says. A new reference, or empty with an exception set.
Ref HandOutCapsule(ProducerTable& table, int slot);

/// The slot's tensor without a capsule. NULL with an exception set.
abi::DLManagedTensorVersioned* HandOutTensor(ProducerSlot& slot);

/// Records name, pointer, context and destructor of the slot's capsule in its ledger.
void InspectCapsule(ProducerTable& table, int slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_PRODUCER_H_
