// bridge/storage.h: where the bytes of a capsule's name lie, and whether they can still be read.
//
// A capsule keeps the pointer of its name, not the text: a name in memory that is freed later is a dangling pointer.
#ifndef DLPACK_CTS_BRIDGE_STORAGE_H_
#define DLPACK_CTS_BRIDGE_STORAGE_H_

#include <cstdint>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// kUnknown: in no memory. Mappings are read once and again for an address that lies in none of them.
NameStorage Storage(const void* bytes);

/// Tells which published name a capsule carries. Never reads memory that is gone: such a name is kForeign.
NameSeen SeenName(const char* name);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_STORAGE_H_
