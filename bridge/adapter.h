// bridge/adapter.h: the functions of an adapter, imported and checked once.
#ifndef DLPACK_CTS_BRIDGE_ADAPTER_H_
#define DLPACK_CTS_BRIDGE_ADAPTER_H_

#include <array>

#include "bridge/object.h"
#include "subject/bridge.h"
#include "subject/hooks.h"

namespace dlpack_cts {

struct Adapter {
  Ref module;
  std::array<Ref, static_cast<size_t>(Hook::kCount)> functions;  // empty for functions that the adapter does not have
  std::string version;
  Reference* reference = nullptr;  // the instance behind the reference's Python type; NULL for a library

  Ref& operator[](Hook hook) { return functions[static_cast<size_t>(hook)]; }
};

/// Makes an object with the functions of an adapter.py (docs/adapters.md), over a new instance of the reference.
/// Returns a new reference; NULL with an exception set. A program that links the reference's Python type sets this.
using MakeReference = PyObject* (*)(Reference** instance);
extern MakeReference g_make_reference;

/// Imports adapter.py (or the module of the reference) and checks it. False with `error` filled.
bool OpenAdapter(const BridgeConfig& config, Adapter* adapter, BridgeError* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_ADAPTER_H_
