// bridge/symbols.h: the few CPython symbols outside the limited API, looked up at run time, with their
// fallback.
#ifndef DLPACK_CTS_BRIDGE_SYMBOLS_H_
#define DLPACK_CTS_BRIDGE_SYMBOLS_H_

namespace dlpack_cts {

/// PyGILState_Check: 1 when this thread holds the GIL. Fallback where it is missing: 1.
int HoldsGil();

/// 1 when this thread holds the GIL and an exception is pending.
int HasPendingException();

/// Py_SetProgramName: deprecated since 3.11, and the only way to honour a virtual environment without Py_BytesMain
/// under the limited API. Fallback where it is missing: nothing, so that the interpreter's own prefix is used.
void SetProgramName(const char* path);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_SYMBOLS_H_
