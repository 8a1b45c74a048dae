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
  std::array<Ref, static_cast<size_t>(Hook::kCount)> functions;  // one that the adapter does not have is empty
  std::string version;
  Reference* reference = nullptr;  // of our own type; NULL for a library

  Ref& operator[](Hook hook) { return functions[static_cast<size_t>(hook)]; }
};

/// A new reference to an object with the functions of an adapter.py (docs/adapters.md), over a new instance of the
/// reference implementation. NULL with an exception set. Where the reference's Python type is linked in, it sets this.
using MakeReference = PyObject* (*)(Reference** instance);
extern MakeReference g_make_reference;

/// Imports adapter.py (or the reference's own module) and checks it. False with `error` filled.
bool OpenAdapter(const BridgeConfig& config, Adapter* adapter, BridgeError* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_ADAPTER_H_
