// bridge/storage.h: in which memory the name of a capsule is, and whether it can still be read.
//
// A capsule stores the pointer of its name, not the text. If the memory of the name is freed, the pointer dangles.
#ifndef DLPACK_CTS_BRIDGE_STORAGE_H_
#define DLPACK_CTS_BRIDGE_STORAGE_H_

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// kUnknown: the address is not mapped. Mappings are read once, and again for an address that is not in the list.
NameStorage Storage(const void* bytes);

/// The published name that a capsule has. Reads only mapped memory: a name elsewhere is kForeign.
NameSeen SeenName(const char* name);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_STORAGE_H_
