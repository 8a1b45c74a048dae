// subject/bridge.h: the interface of the CPython bridge, for the worker, the fuzz targets and the
// benchmarks.
//
// The bridge is one shared object, built once with the limited API of CPython 3.8. It is loaded after libpython (which
// has to be loaded RTLD_GLOBAL first), and leaves the symbols of the harness to the program that loads it.
// subject/python_loader.h does both. No header outside bridge/ and reference/python/ names Py*.
#ifndef DLPACK_CTS_SUBJECT_BRIDGE_H_
#define DLPACK_CTS_SUBJECT_BRIDGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "subject/subject.h"

namespace dlpack_cts {

struct BridgeConfig {
  std::string python;             // path of the environment's bin/python: argv[0] of the interpreter
  std::vector<std::string> path;  // put in front of sys.path
  std::string library;            // "numpy"; "reference" needs no adapter folder
  std::string adapter;            // folder that holds adapter.py; empty for the reference's Python type
  bool site = true;               // whether the packages of the environment can be imported
  bool fork = true;               // whether the library survives a fork
  uint32_t claims = 0;            // of the library: a bit per Claim
};

/// Why an adapter could not be opened: one sentence, a hint, and the Python traceback for the log.
struct BridgeError {
  std::string message;
  std::string hint;
  std::string traceback;
};

/// Runs the interpreter's own main with the environment's python as argv[0], and calls `body` inside it. Returns what
/// `body` returned, or 3 when the interpreter could not be entered. Symbol: dlpack_cts_bridge_enter.
using BridgeEnter = int (*)(const BridgeConfig& config, int (*body)(void* context), void* context);

/// Starts the interpreter and keeps main ours (fuzz targets, benchmarks). Symbol: dlpack_cts_bridge_start.
using BridgeStart = bool (*)(const BridgeConfig& config, BridgeError* error);

/// Imports the adapter and returns the subject; NULL with `error` filled. The interpreter must run.
/// Symbol: dlpack_cts_bridge_open.
using BridgeOpen = Subject* (*)(const BridgeConfig& config, BridgeError* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_BRIDGE_H_
