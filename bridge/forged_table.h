// bridge/forged_table.h: the C exchange table that the type of a fake producer carries.
//
// Each producer has a fresh type, which is never freed: a consumer may keep what it found under the type. The table's
// functions have no context, so that there is a copy of each for every slot; they write into the ledger of the slot
// that published last.
#ifndef DLPACK_CTS_BRIDGE_FORGED_TABLE_H_
#define DLPACK_CTS_BRIDGE_FORGED_TABLE_H_

#include <memory>

#include "bridge/object.h"
#include "bridge/producer.h"

namespace dlpack_cts {

/// A new subtype of `base` with the table that the slot's exchange describes; empty with an exception set.
Ref Publish(PyObject* base, const std::shared_ptr<ProducerTable>& table, ProducerSlot& slot);

/// The slot's exchange is over: the functions of its table fail from now on.
void Unpublish(const ProducerSlot& slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_FORGED_TABLE_H_
