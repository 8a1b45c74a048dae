// subject/python_loader.cc: loads the bridge, and a libpython if necessary, into this process.
#include "subject/python_loader.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/failure.h"

extern char** environ;

namespace dlpack_cts {
namespace {

void* g_bridge = nullptr;

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

std::string OwnFolder() {
  Dl_info own{};
  link_map* map = nullptr;
  dladdr1(&g_bridge, &own, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  std::string path = map != nullptr ? map->l_name : "";
  if (path.empty()) {  // the program itself
    char program[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", program, sizeof(program));
    path.assign(program, size > 0 ? static_cast<size_t>(size) : 0);
  }
  return path.substr(0, path.rfind('/') + 1);
}

void ForgetPythonVariables() {
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "PYTHON", 6) != 0) continue;
    const char* end = std::strchr(*variable, '=');
    if (end != nullptr) names.emplace_back(*variable, static_cast<size_t>(end - *variable));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

void LoadBridge(const std::string& libpython) {
  if (IsFreeThreaded(libpython)) {
    throw Failure(libpython + " is a free-threaded build, which dlpack-cts does not support; use a build with the GIL");
  }
  // RTLD_GLOBAL: extension modules of the standard library look for the interpreter's symbols in the global scope.
  if (!libpython.empty() && dlopen(libpython.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    throw Failure("libpython could not be loaded (some systems have it in a separate package, libpython3): " +
                  std::string(dlerror()));
  }
  const std::string bridge = OwnFolder() + "libdlpack-cts-bridge.so";
  g_bridge = dlopen(bridge.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (g_bridge == nullptr) throw Failure("the CPython bridge could not be loaded: " + std::string(dlerror()));
}

void* BridgeSymbol(const char* name) { return g_bridge != nullptr ? dlsym(g_bridge, name) : nullptr; }

int EnterPython(const BridgeConfig& config, int (*body)(void* context), void* context) {
  ForgetPythonVariables();
  return FunctionOf<BridgeEnter>("dlpack_cts_bridge_enter", "entry function")(config, body, context);
}

void StartPython(const BridgeConfig& config) {
  ForgetPythonVariables();
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

void PythonAtFork(ForkStage stage) {
  FunctionOf<BridgeAtFork>("dlpack_cts_bridge_at_fork", "function for forks")(stage);
}

}  // namespace dlpack_cts
