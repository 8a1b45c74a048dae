// tests/native/throwing_plugin.cc: a plug-in in C++ from which an exception leaves, where the variable THROWS says.
//
// It takes every struct and gives it back at once, so that each of its functions is called without a library behind it.
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "plugin.h"

namespace {

bool Throws(std::string_view where) {
  const char* wanted = std::getenv("THROWS");
  return wanted != nullptr && wanted == where;
}

void MayThrow(std::string_view where) {
  if (Throws(where)) throw std::runtime_error("thrown by the test");
}

struct AtExit {
  ~AtExit() noexcept(false) { MayThrow("static_destructor"); }
} g_at_exit;

const char* Name() {
  MayThrow("name");
  return "throwing";
}

const char* Version() {
  MayThrow("version");
  return "0";
}

int g_array = 0;

int Import(void*, void*, const dlpack_cts_import_options*, dlpack_cts_array* array, dlpack_cts_error*) {
  MayThrow("import");
  if (Throws("int")) throw 7;
  if (Throws("thread")) std::thread([] { MayThrow("thread"); }).join();
  if (Throws("static_destructor")) std::exit(0);
  *array = &g_array;
  return DLPACK_CTS_OK;
}

int Describe(dlpack_cts_array, dlpack_cts_description* description, dlpack_cts_error*) {
  MayThrow("describe");
  description->dtype = {2, 32, 1};  // a float32 scalar of which nothing more is known
  return DLPACK_CTS_OK;
}

int64_t Values(dlpack_cts_array, uint8_t*, size_t) {
  MayThrow("values");
  return -1;
}

void Drop(dlpack_cts_array) { MayThrow("drop"); }
void Collect(void*) { MayThrow("collect"); }

const dlpack_cts_plugin_table* Table() {
  static const dlpack_cts_plugin_table table = [] {
    dlpack_cts_plugin_table filled = {};
    filled.abi = DLPACK_CTS_PLUGIN_ABI;
    filled.size = sizeof(filled);
    filled.name = Name;
    filled.version = Version;
    filled.import_tensor = Import;
    filled.describe = Describe;
    filled.values = Values;
    filled.drop = Drop;
    filled.collect = Collect;
    return filled;
  }();
  return &table;
}

}  // namespace

const dlpack_cts_plugin_table* dlpack_cts_plugin() {
  MayThrow("plugin");
  return Table();
}
