// bridge/array_struct.h: reads NumPy's __array_struct__, which takes a tenth of the time of describe().
#ifndef DLPACK_CTS_BRIDGE_ARRAY_STRUCT_H_
#define DLPACK_CTS_BRIDGE_ARRAY_STRUCT_H_

#include "bridge/object.h"
#include "harness/ledger/record.h"

namespace dlpack_cts {

/// Describes a host array by the capsule that its __array_struct__ returned. Strides of the struct are in bytes. False,
/// with no exception set, for anything but an array of a plain type in native byte order: describe() knows more.
/// Source: NumPy's array interface protocol, version 3.
bool ReadArrayStruct(PyObject* capsule, Description& description);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_ARRAY_STRUCT_H_
