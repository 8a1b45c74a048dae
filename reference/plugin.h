// reference/plugin.h: the reference as a native library, behind a plug-in table.
#ifndef DLPACK_CTS_REFERENCE_PLUGIN_H_
#define DLPACK_CTS_REFERENCE_PLUGIN_H_

#include "reference/instance.h"
#include "subject/plugin.h"

namespace dlpack_cts {

/// The plug-in table of `instance`.
dlpack_cts_plugin_table ReferencePlugin(Reference& instance);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_PLUGIN_H_
