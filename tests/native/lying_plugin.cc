// tests/native/lying_plugin.cc: the plug-in of "tiny", which breaks its contract with the suite where LIES says.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "plugin.h"

extern "C" const dlpack_cts_plugin_table* tiny_plugin();  // of examples/cpp-plugin/

namespace {

bool Lies(std::string_view how) {
  const char* wanted = std::getenv("LIES");
  return wanted != nullptr && wanted == how;
}

int Import(void* context, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  const int code = tiny_plugin()->import_tensor(context, managed, options, array, error);
  if (Lies("import_nothing")) *array = nullptr;
  return Lies("import_code") ? 99 : code;
}

int Make(void* context, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  if (Lies("make_nothing")) return DLPACK_CTS_OK;
  return Lies("make_code") ? -1 : tiny_plugin()->make(context, request, array, error);
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  if (Lies("export_nothing")) return DLPACK_CTS_OK;
  const int code = tiny_plugin()->export_tensor(array, options, managed, error);
  return Lies("export_both") ? DLPACK_CTS_REFUSED : code;
}

int Describe(dlpack_cts_array array, dlpack_cts_description* description, dlpack_cts_error* error) {
  const int code = tiny_plugin()->describe(array, description, error);
  if (Lies("describe_code")) return 77;
  if (Lies("describe_fails")) {
    std::snprintf(error->text, sizeof(error->text), "out of order");
    return DLPACK_CTS_FAILED;
  }
  if (Lies("ndim_negative")) description->ndim = -1;
  if (Lies("ndim_65")) description->ndim = 65;
  if (Lies("ndim_huge")) description->ndim = INT_MAX;
  if (Lies("writable")) description->writable = 7;
  if (Lies("type")) description->dtype = {99, 7, 3};
  if (Lies("no_type")) description->dtype = {};
  return code;
}

int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) {
  return Lies("values") ? INT64_MIN : tiny_plugin()->values(array, out, capacity);
}

const char* Name() {
  if (Lies("exit")) std::_Exit(0);
  return "lying";
}

}  // namespace

extern "C" const dlpack_cts_plugin_table* dlpack_cts_plugin(void) {
  static const dlpack_cts_plugin_table table = [] {
    dlpack_cts_plugin_table filled = *tiny_plugin();
    filled.name = Name;
    filled.import_tensor = Import;
    filled.make = Make;
    filled.export_tensor = Export;
    filled.describe = Describe;
    filled.values = Values;
    return filled;
  }();
  return &table;
}
