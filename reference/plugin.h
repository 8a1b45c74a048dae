// reference/plugin.h: the reference behind the plug-in table, as a native library would be.
#ifndef DLPACK_CTS_REFERENCE_PLUGIN_H_
#define DLPACK_CTS_REFERENCE_PLUGIN_H_

#include "reference/instance.h"
#include "subject/plugin.h"

namespace dlpack_cts {

/// A table of that instance, whose behaviour it obeys.
dlpack_cts_plugin_table ReferencePlugin(Reference& instance);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_PLUGIN_H_
