// adapters/interface/native_loader.cc: loads a plug-in and checks its table.
#include "adapters/interface/native_loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace dlpack_cts {
namespace {

constexpr char kSeeDocs[] = "docs/plugins.md lists the functions of the table, and which of them are needed";

bool Fail(PluginError* error, std::string message, std::string hint) {
  *error = {std::move(message), std::move(hint)};
  return false;
}

}  // namespace

bool CheckTable(const dlpack_cts_plugin_table* table, const std::string& where, const PluginNeeds& needs,
                dlpack_cts_plugin_table* out, PluginError* error) {
  if (table == nullptr) {
    return Fail(error, "dlpack_cts_plugin() of " + where + " returned NULL",
                "with NULL the plug-in says that its library cannot be used on this machine");
  }
  if (table->abi != DLPACK_CTS_PLUGIN_ABI) {
    return Fail(error,
                where + " has version " + std::to_string(table->abi) + " of the plug-in ABI, and this program has " +
                    std::to_string(DLPACK_CTS_PLUGIN_ABI),
                "build the plug-in again with the adapters/interface/plugin.h of this program");
  }
  constexpr uint32_t kSmallest = offsetof(dlpack_cts_plugin_table, name);
  if (table->size < kSmallest) {
    return Fail(error, "the table of " + where + " gives its size as " + std::to_string(table->size) + " bytes",
                "set the field size to sizeof(dlpack_cts_plugin_table)");
  }
  *out = {};
  std::memcpy(out, table, std::min<size_t>(table->size, sizeof(*out)));
  const struct {
    bool needed;
    bool there;
    const char* name;
  } kFunctions[] = {
      {true, out->name != nullptr, "name"},
      {true, out->version != nullptr, "version"},
      {true, out->describe != nullptr, "describe"},
      {true, out->values != nullptr, "values"},
      {true, out->drop != nullptr, "drop"},
      {needs.consumer, out->import_tensor != nullptr, "import_tensor, which the role consumer needs"},
      {needs.producer, out->make != nullptr, "make, which the role producer needs"},
      {needs.producer, out->export_tensor != nullptr, "export_tensor, which the role producer needs"},
      {needs.write, out->write != nullptr, "write, which library.toml claims"},
      {needs.compute, out->compute != nullptr, "compute, which library.toml claims"},
      {needs.view, out->view != nullptr, "view, which library.toml claims"},
      {needs.change, out->change != nullptr, "change, which a claim ending in _in_place needs"},
  };
  for (const auto& function : kFunctions) {
    if (!function.needed || function.there) continue;
    return Fail(error, "the table of " + where + " has no function " + function.name, kSeeDocs);
  }
  if (out->name() == nullptr || out->version() == nullptr) {
    return Fail(error, "name() or version() of " + where + " returned NULL", kSeeDocs);
  }
  return true;
}

bool LoadPlugin(const std::string& path, const PluginNeeds& needs, dlpack_cts_plugin_table* out, PluginError* error) {
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
  return CheckTable(function(), where, needs, out, error);
}

}  // namespace dlpack_cts
