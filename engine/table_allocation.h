// engine/table_allocation.h: calls managed_tensor_allocator with a prototype whose unused fields are garbage.
#ifndef DLPACK_CTS_ENGINE_TABLE_ALLOCATION_H_
#define DLPACK_CTS_ENGINE_TABLE_ALLOCATION_H_

#include "subject/subject.h"

namespace dlpack_cts {

/// Only dtype, ndim, shape and device of the prototype may be read: data, strides and byte_offset are garbage. The
/// prototype and its shape are invalid when this returns. Writes table.prototype_changed.
abi::DLManagedTensorVersioned* AllocateByTable(Subject& subject, const Request& request, Prototype kind,
                                               TableLedger& table, Refusal& refusal);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_TABLE_ALLOCATION_H_
