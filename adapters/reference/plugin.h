// adapters/reference/plugin.h: the reference behind the plug-in table, as a native library would be.
#ifndef DLPACK_CTS_ADAPTERS_REFERENCE_PLUGIN_H_
#define DLPACK_CTS_ADAPTERS_REFERENCE_PLUGIN_H_

#include "adapters/interface/plugin.h"

namespace dlpack_cts {

/// The table; it obeys the active behaviour, as the Python type does.
const dlpack_cts_plugin_table* ReferencePlugin();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_REFERENCE_PLUGIN_H_
