// subject/native_loader.cc: loads a plug-in and checks its table.
#include "subject/native_loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/failure.h"
#include "subject/hooks.h"

namespace dlpack_cts {
namespace {

constexpr char kSeeDocs[] = "docs/plugins.md lists the functions of the table, and which of them are needed";

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

dlpack_cts_plugin_table CheckTable(const dlpack_cts_plugin_table* table, const std::string& where, uint32_t claims) {
  if (table == nullptr) {
    throw Failure("dlpack_cts_plugin() of " + where + " returned NULL",
                  "with NULL the plug-in says that its library cannot be used on this machine");
  }
  if (table->abi != DLPACK_CTS_PLUGIN_ABI) {
    throw Failure(where + " has version " + std::to_string(table->abi) + " of the plug-in ABI, and this program has " +
                      std::to_string(DLPACK_CTS_PLUGIN_ABI),
                  "build the plug-in again with the subject/plugin.h of this program");
  }
  constexpr uint32_t kSmallest = offsetof(dlpack_cts_plugin_table, name);
  if (table->size < kSmallest) {
    throw Failure("the table of " + where + " gives its size as " + std::to_string(table->size) + " bytes",
                  "set the field size to sizeof(dlpack_cts_plugin_table)");
  }
  dlpack_cts_plugin_table known{};
  std::memcpy(&known, table, std::min<size_t>(table->size, sizeof(known)));
  const HookRow* lacking = Lacking(known, [](const HookRow& row) { return row.always; });
  if (lacking == nullptr) lacking = Lacking(known, [&](const HookRow& row) { return row.IsNeededByPlugin(claims); });
  if (lacking != nullptr) {
    std::string function(lacking->native);
    if (!lacking->because.empty()) function += ", " + std::string(lacking->because);
    throw Failure("the table of " + where + " has no function " + function, kSeeDocs);
  }
  if (known.name() == nullptr || known.version() == nullptr) {
    throw Failure("name() or version() of " + where + " returned NULL", kSeeDocs);
  }
  return known;
}

dlpack_cts_plugin_table LoadPlugin(const std::string& path, uint32_t claims) {
  const std::string where = "the plug-in " + path;
  if (access(path.c_str(), R_OK) != 0) {
    throw Failure(where + " cannot be read: " + std::strerror(errno),
                  "build it: library.toml names it relative to its own folder, and docs/plugins.md says how");
  }
  // RTLD_NOW: a missing symbol is reported here, not in the middle of a case.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    throw Failure(where + " could not be loaded: " + (why != nullptr ? why : "unknown"),
                  "link it with -shared, with all libraries that it needs, for this machine");
  }
  const auto function = reinterpret_cast<dlpack_cts_plugin_function>(dlsym(handle, "dlpack_cts_plugin"));
  if (function == nullptr) {
    throw Failure(where + " does not export the symbol dlpack_cts_plugin",
                  "define it with C linkage and default visibility, as plugin.h shows");
  }
  return CheckTable(function(), where, claims);
}

}  // namespace dlpack_cts
