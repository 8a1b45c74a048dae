// subject/bridge.h: the interface of the CPython bridge, for the worker, the fuzz targets and the benchmarks.
//
// The bridge is one shared object, built once with the limited API of CPython 3.8. It is loaded into an interpreter, or
// after a libpython, which must be loaded with RTLD_GLOBAL; subject/python_loader.h does both. It uses the symbols of
// the harness in the program or library that loads it. No header outside bridge/ and reference/python/ names Py*.
#ifndef DLPACK_CTS_SUBJECT_BRIDGE_H_
#define DLPACK_CTS_SUBJECT_BRIDGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "subject/subject.h"

namespace dlpack_cts {

struct BridgeConfig {
  std::string python;             // path of the environment's bin/python: argv[0] of the interpreter
  std::vector<std::string> path;  // inserted at the front of sys.path
  std::string library;            // "numpy"; "reference" needs no adapter folder
  std::string adapter;            // folder of adapter.py; empty for the reference's Python type
  bool site = true;               // whether packages of the environment can be imported
  bool fork = true;               // whether the library survives a fork
  uint32_t claims = 0;            // of the library; one bit for each Claim
};

/// Why an adapter could not be opened: one sentence, a hint, and the Python traceback for the log.
struct BridgeError {
  std::string message;
  std::string hint;
  std::string traceback;
};

/// Runs the interpreter's own main with the environment's python as argv[0], and calls `body` inside it. Returns the
/// result of `body`, or 3 if the interpreter could not start. Symbol: dlpack_cts_bridge_enter.
using BridgeEnter = int (*)(const BridgeConfig& config, int (*body)(void* context), void* context);

/// Starts the interpreter inside a program that has its own main (fuzz targets, benchmarks), or prepares the one that
/// runs already. Symbol: dlpack_cts_bridge_start.
using BridgeStart = bool (*)(const BridgeConfig& config, BridgeError* error);

/// Calls the function of CPython for that moment of a fork. Symbol: dlpack_cts_bridge_at_fork.
enum class ForkStage : uint8_t { kBefore, kInParent, kInChild };
using BridgeAtFork = void (*)(ForkStage stage);

/// Imports the adapter and returns the subject, which lives as long as the process; NULL with `error` filled. The
/// interpreter must run.
/// Symbol: dlpack_cts_bridge_open.
using BridgeOpen = Subject* (*)(const BridgeConfig& config, BridgeError* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_BRIDGE_H_
