// subject/python_loader.h: loads the bridge, and a libpython if necessary, into this process. Names no Py* symbol.
#ifndef DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_
#define DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_

#include <string>

#include "subject/bridge.h"

namespace dlpack_cts {

/// Loads `libpython` with RTLD_GLOBAL, then the bridge (libdlpack-cts-bridge.so next to this program or library). If
/// `libpython` is empty, the process is an interpreter already, and has its symbols. Throws Failure.
void LoadBridge(const std::string& libpython);

/// Removes the variables PYTHON* of the caller, which must not change the results.
void ForgetPythonVariables();

/// The folder of the program or shared library that this code is in, with a slash at its end.
std::string OwnFolder();

/// A symbol of the loaded bridge, or NULL.
void* BridgeSymbol(const char* name);

// The functions of the loaded bridge (bridge.h). What it says of an error becomes a Failure here: no exception crosses
// it, nor the interpreter.

int EnterPython(const BridgeConfig& config, int (*body)(void* context), void* context);
void StartPython(const BridgeConfig& config);
Subject& OpenInPython(const BridgeConfig& config);
/// Prepares the interpreter for a fork of this process, or repairs it after one.
void PythonAtFork(ForkStage stage);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_PYTHON_LOADER_H_
