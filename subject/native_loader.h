// subject/native_loader.h: loads a plug-in and checks that its table can be used.
#ifndef DLPACK_CTS_SUBJECT_NATIVE_LOADER_H_
#define DLPACK_CTS_SUBJECT_NATIVE_LOADER_H_

#include <cstdint>
#include <string>

#include "subject/plugin.h"

namespace dlpack_cts {

/// Why a plug-in cannot be used, and a hint.
struct PluginError {
  std::string message;
  std::string hint;
};

/// Copies the plug-in's table to `out`, with NULL for functions that its version does not have. False with `error`
/// filled if the ABI version differs, or a function is missing that the claims need (hooks.h). `where` names the
/// plug-in in messages.
bool CheckTable(const dlpack_cts_plugin_table* table, const std::string& where, uint32_t claims,
                dlpack_cts_plugin_table* out, PluginError* error);

/// Loads `path` with dlopen, calls its one symbol, and checks the table. The plug-in stays loaded.
bool LoadPlugin(const std::string& path, uint32_t claims, dlpack_cts_plugin_table* out, PluginError* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_NATIVE_LOADER_H_
