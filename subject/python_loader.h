// subject/python_loader.h: loads libpython and the bridge into this process. Names no Py* symbol.
#ifndef DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_
#define DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_

#include <string>

namespace dlpack_cts {

/// Loads `libpython` with RTLD_GLOBAL, then the bridge (libdlpack-cts-bridge.so next to this program). False with one
/// sentence in `error`.
bool LoadBridge(const std::string& libpython, std::string* error);

/// A symbol of the loaded bridge, or NULL.
void* BridgeSymbol(const char* name);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_
