// bridge/symbols.h: the few CPython symbols outside the limited API, looked up at run time, with a fallback.
#ifndef DLPACK_CTS_BRIDGE_SYMBOLS_H_
#define DLPACK_CTS_BRIDGE_SYMBOLS_H_

namespace dlpack_cts {

/// PyGILState_Check: 1 if this thread holds the GIL. Returns 1 if the symbol is missing.
int HoldsGil();

/// 1 if this thread holds the GIL and an exception is pending.
int HasPendingException();

/// Py_SetProgramName: deprecated since 3.11, but the only way to use a virtual environment without Py_BytesMain under
/// the limited API. If it is missing, nothing happens, and the interpreter's own prefix is used.
void SetProgramName(const char* path);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_SYMBOLS_H_
