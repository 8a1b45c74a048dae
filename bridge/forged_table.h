// bridge/forged_table.h: the exchange table that the type of a fake producer publishes.
//
// Each producer has a new type, which is never freed: a consumer may cache what it found on the type. The functions of
// a table have no context parameter, so there is a copy of each for every slot. They write to the ledger of the latest
// exchange in that slot.
#ifndef DLPACK_CTS_BRIDGE_FORGED_TABLE_H_
#define DLPACK_CTS_BRIDGE_FORGED_TABLE_H_

#include <memory>

#include "bridge/object.h"
#include "bridge/producer.h"

namespace dlpack_cts {

/// A new subtype of `base` with the table that the slot's exchange describes. Empty with an exception set.
Ref Publish(PyObject* base, const std::shared_ptr<ProducerTable>& table, ProducerSlot& slot);

/// Ends the slot's exchange: the functions of its table fail from now on.
void Unpublish(const ProducerSlot& slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_FORGED_TABLE_H_
