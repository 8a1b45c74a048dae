// adapters/python/adapter.h: the functions of an adapter, imported and checked once.
#ifndef DLPACK_CTS_ADAPTERS_PYTHON_ADAPTER_H_
#define DLPACK_CTS_ADAPTERS_PYTHON_ADAPTER_H_

#include "adapters/interface/bridge.h"
#include "adapters/python/object.h"

namespace dlpack_cts {

/// Functions that docs/adapters.md names; one that the adapter has not is empty.
struct Adapter {
  Ref module;
  Ref from_dlpack;
  Ref make;
  Ref describe;
  Ref values;
  Ref write;
  Ref compute;
  Ref view;
  Ref change_metadata;
  Ref export_array;
  Ref device;
  Ref release;
  Ref watch;
  Ref lacks;
  Ref stream;
  Ref fetch;
  std::string version;
  Reference* reference = nullptr;  // of our own type; NULL for a library
};

/// Imports adapter.py (or the reference's own module) and checks it. False with `error` filled.
bool OpenAdapter(const BridgeConfig& config, Adapter* adapter, BridgeError* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_PYTHON_ADAPTER_H_
