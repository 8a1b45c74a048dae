// subject/python_loader.h: loads libpython and the bridge into this process. Names no Py* symbol.
#ifndef DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_
#define DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_

#include <string>

#include "subject/bridge.h"

namespace dlpack_cts {

/// Loads `libpython` with RTLD_GLOBAL, then the bridge (libdlpack-cts-bridge.so next to this program). Throws Failure.
void LoadBridge(const std::string& libpython);

/// A symbol of the loaded bridge, or NULL.
void* BridgeSymbol(const char* name);

// The functions of the loaded bridge (bridge.h). What it says of an error becomes a Failure here: no exception crosses
// it, nor the interpreter.

int EnterPython(const BridgeConfig& config, int (*body)(void* context), void* context);
void StartPython(const BridgeConfig& config);
Subject& OpenInPython(const BridgeConfig& config);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_
