// subject/python_loader.cc: loads libpython and the bridge into this process.
#include "subject/python_loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>

#include "base/failure.h"

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

template <typename Function>
Function FunctionOf(const char* name, const char* what) {
  void* const symbol = BridgeSymbol(name);
  if (symbol != nullptr) return reinterpret_cast<Function>(symbol);
  throw Failure(std::string("the CPython bridge has no ") + what, "build dlpack-cts again", kHarness);
}

Failure FailureFrom(const BridgeError& error) { return {error.message, error.hint, kUsage, error.traceback}; }

}  // namespace

void LoadBridge(const std::string& libpython) {
  if (IsFreeThreaded(libpython)) {
    throw Failure(libpython + " is a free-threaded build, which dlpack-cts does not support; use a build with the GIL");
  }
  // RTLD_GLOBAL: extension modules of the standard library look for the interpreter's symbols in the global scope.
  if (dlopen(libpython.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    throw Failure("libpython could not be loaded (some systems have it in a separate package, libpython3): " +
                  std::string(dlerror()));
  }
  const std::string bridge = ProgramFolder() + "libdlpack-cts-bridge.so";
  g_bridge = dlopen(bridge.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (g_bridge == nullptr) throw Failure("the CPython bridge could not be loaded: " + std::string(dlerror()));
}

void* BridgeSymbol(const char* name) { return g_bridge != nullptr ? dlsym(g_bridge, name) : nullptr; }

int EnterPython(const BridgeConfig& config, int (*body)(void* context), void* context) {
  return FunctionOf<BridgeEnter>("dlpack_cts_bridge_enter", "entry function")(config, body, context);
}

void StartPython(const BridgeConfig& config) {
  const auto start = FunctionOf<BridgeStart>("dlpack_cts_bridge_start", "function to start the interpreter");
  BridgeError error;
  if (!start(config, &error)) throw FailureFrom(error);
}

Subject& OpenInPython(const BridgeConfig& config) {
  const auto open = FunctionOf<BridgeOpen>("dlpack_cts_bridge_open", "function to open a library");
  BridgeError error;
  Subject* const subject = open(config, &error);
  if (subject == nullptr) throw FailureFrom(error);
  return *subject;
}

}  // namespace dlpack_cts
