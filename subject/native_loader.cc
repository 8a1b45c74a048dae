// subject/native_loader.cc: loads a plug-in and checks its table.
#include "subject/native_loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "subject/hooks.h"

namespace dlpack_cts {
namespace {

constexpr char kSeeDocs[] = "docs/plugins.md lists the functions of the table, and which of them are needed";

bool Fail(PluginError* error, std::string message, std::string hint) {
  *error = {std::move(message), std::move(hint)};
  return false;
}

/// The first function that is NULL though the claims need it, or NULL.
template <typename Needed>
const HookRow* Lacking(const dlpack_cts_plugin_table& table, const Needed& needed) {
  for (const HookRow& row : Hooks()) {
    void (*function)() = nullptr;
    std::memcpy(&function, reinterpret_cast<const uint8_t*>(&table) + row.in_table, sizeof(function));
    if (!row.native.empty() && needed(row) && function == nullptr) return &row;
  }
  return nullptr;
}

}  // namespace

bool CheckTable(const dlpack_cts_plugin_table* table, const std::string& where, uint32_t claims,
                dlpack_cts_plugin_table* out, PluginError* error) {
  if (table == nullptr) {
    return Fail(error, "dlpack_cts_plugin() of " + where + " returned NULL",
                "with NULL the plug-in says that its library cannot be used on this machine");
  }
  if (table->abi != DLPACK_CTS_PLUGIN_ABI) {
    return Fail(error,
                where + " has version " + std::to_string(table->abi) + " of the plug-in ABI, and this program has " +
                    std::to_string(DLPACK_CTS_PLUGIN_ABI),
                "build the plug-in again with the subject/plugin.h of this program");
  }
  constexpr uint32_t kSmallest = offsetof(dlpack_cts_plugin_table, name);
  if (table->size < kSmallest) {
    return Fail(error, "the table of " + where + " gives its size as " + std::to_string(table->size) + " bytes",
                "set the field size to sizeof(dlpack_cts_plugin_table)");
  }
  *out = {};
  std::memcpy(out, table, std::min<size_t>(table->size, sizeof(*out)));
  const HookRow* lacking = Lacking(*out, [](const HookRow& row) { return row.always; });
  if (lacking == nullptr) lacking = Lacking(*out, [&](const HookRow& row) { return row.IsNeededByPlugin(claims); });
  if (lacking != nullptr) {
    std::string function(lacking->native);
    if (!lacking->because.empty()) function += ", " + std::string(lacking->because);
    return Fail(error, "the table of " + where + " has no function " + function, kSeeDocs);
  }
  if (out->name() == nullptr || out->version() == nullptr) {
    return Fail(error, "name() or version() of " + where + " returned NULL", kSeeDocs);
  }
  return true;
}

bool LoadPlugin(const std::string& path, uint32_t claims, dlpack_cts_plugin_table* out, PluginError* error) {
  const std::string where = "the plug-in " + path;
  if (access(path.c_str(), R_OK) != 0) {
    return Fail(error, where + " cannot be read: " + std::strerror(errno),
                "build it; library.toml names it relative to its own folder");
  }
  // RTLD_NOW: a missing symbol is reported here, not in the middle of a case.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    return Fail(error, where + " could not be loaded: " + (why != nullptr ? why : "unknown"),
                "link it with -shared, with all libraries that it needs, for this machine");
  }
  const auto function = reinterpret_cast<dlpack_cts_plugin_function>(dlsym(handle, "dlpack_cts_plugin"));
  if (function == nullptr) {
    return Fail(error, where + " does not export the symbol dlpack_cts_plugin",
                "define it with C linkage and default visibility, as plugin.h shows");
  }
  return CheckTable(function(), where, claims, out, error);
}

}  // namespace dlpack_cts
