// subject/python_loader.cc: loads libpython and the bridge into this process.
#include "subject/python_loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>

namespace dlpack_cts {
namespace {

void* g_bridge = nullptr;

/// The folder of the running program, where the build puts the bridge too.
std::string ProgramFolder() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  const std::string program(path, size > 0 ? static_cast<size_t>(size) : 0);
  return program.substr(0, program.rfind('/') + 1);
}

/// libpython3.13t.so: builds without the GIL have another ABI, which the stable one does not cover.
bool IsFreeThreaded(const std::string& libpython) {
  const size_t name = libpython.rfind("libpython");
  if (name == std::string::npos) return false;
  const size_t end = libpython.find_first_not_of("0123456789.", name + 9);
  return end != std::string::npos && libpython[end] == 't';
}

}  // namespace

bool LoadBridge(const std::string& libpython, std::string* error) {
  if (IsFreeThreaded(libpython)) {
    *error = libpython + " is a free-threaded build, which dlpack-cts does not support; use a build with the GIL";
    return false;
  }
  // RTLD_GLOBAL: extension modules of the standard library look for the interpreter's symbols in the global scope.
  if (dlopen(libpython.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    *error = "libpython could not be loaded (some systems have it in a separate package, libpython3): " +
             std::string(dlerror());
    return false;
  }
  const std::string bridge = ProgramFolder() + "libdlpack-cts-bridge.so";
  g_bridge = dlopen(bridge.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (g_bridge == nullptr) {
    *error = "the CPython bridge could not be loaded: " + std::string(dlerror());
    return false;
  }
  return true;
}

void* BridgeSymbol(const char* name) { return g_bridge != nullptr ? dlsym(g_bridge, name) : nullptr; }

}  // namespace dlpack_cts
