// subject/native_loader.h: loads a plug-in and checks that its table can be used.
#ifndef DLPACK_CTS_SUBJECT_NATIVE_LOADER_H_
#define DLPACK_CTS_SUBJECT_NATIVE_LOADER_H_

#include <cstdint>
#include <string>

#include "subject/plugin.h"

namespace dlpack_cts {

/// Returns a copy of the plug-in's table, with NULL for functions that its version does not have. Throws Failure if the
/// ABI version differs, or a function is missing that the claims need (hooks.h). `where` names the plug-in in messages.
dlpack_cts_plugin_table CheckTable(const dlpack_cts_plugin_table* table, const std::string& where, uint32_t claims);

/// Loads `path` with dlopen, calls its one symbol, and checks the table. The plug-in stays loaded. Throws Failure, and
/// what the plug-in throws.
dlpack_cts_plugin_table LoadPlugin(const std::string& path, uint32_t claims);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_NATIVE_LOADER_H_
