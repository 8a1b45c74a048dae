// tests/python/main.cc: enters the interpreter that the command line names, and runs all tests inside it.
//
// With --start the interpreter is started beside our own main, as fuzz targets and benchmarks do it.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "subject/python_loader.h"
#include "tests/python/bridge_test.h"

namespace dlpack_cts {
namespace {

constexpr int kSkipped = 77;

/// What the interpreter itself says of its libpython; empty when it has no shared one.
std::string LibpythonOf(const std::string& python) {
  const std::string command =
      "'" + python +
      "' -c \"import sysconfig as s; print(s.get_config_var('LIBDIR') + '/' + s.get_config_var('INSTSONAME'))\"";
  std::FILE* answer = popen(command.c_str(), "r");
  char line[1024] = "";
  if (answer == nullptr || std::fgets(line, sizeof(line), answer) == nullptr) line[0] = '\0';
  if (answer != nullptr) pclose(answer);
  std::string path(line);
  path.erase(path.find_last_not_of('\n') + 1);
  return path.find(".so") != std::string::npos && access(path.c_str(), R_OK) == 0 ? path : "";
}

int RunTests(void*) {
  g_opened.open = reinterpret_cast<BridgeOpen>(BridgeSymbol("dlpack_cts_bridge_open"));
  BridgeError error;
  g_opened.subject = g_opened.open(g_opened.config, &error);
  if (g_opened.subject == nullptr) {
    std::fprintf(stderr, "%s; %s\n%s", error.message.c_str(), error.hint.c_str(), error.traceback.c_str());
    return 1;
  }
  return RUN_ALL_TESTS();
}

int Enter() {
  const auto enter = reinterpret_cast<BridgeEnter>(BridgeSymbol("dlpack_cts_bridge_enter"));
  return enter(g_opened.config, RunTests, nullptr);
}

int Start() {
  const auto start = reinterpret_cast<BridgeStart>(BridgeSymbol("dlpack_cts_bridge_start"));
  BridgeError error;
  if (start(g_opened.config, &error)) return RunTests(nullptr);
  std::fprintf(stderr, "%s; %s\n", error.message.c_str(), error.hint.c_str());
  return 1;
}

int Main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool start = argc > 1 && std::string(argv[1]) == "--start";
  if (start) {
    ++argv;
    --argc;
  }
  if (argc < 2) {
    std::fprintf(stderr, "usage: bridge_test [--start] PYTHON [ADAPTER_FOLDER [LIBRARY]]\n");
    return 2;
  }
  g_opened.tests = BRIDGE_TESTS;
  g_opened.config.python = argv[1];
  g_opened.config.path = {g_opened.tests};
  g_opened.config.adapter = argc > 2 ? argv[2] : g_opened.tests + "/toy_adapter";
  g_opened.config.library = argc > 3 ? argv[3] : "toy";
  const std::string libpython = LibpythonOf(argv[1]);
  if (libpython.empty()) {
    std::fprintf(stderr, "%s has no shared libpython, which the bridge needs\n", argv[1]);
    return kSkipped;
  }
  // The interpreter must not see these, whoever starts the tests.
  setenv("PYTHONHOME", "/nowhere", 1);
  std::string error;
  if (!LoadBridge(libpython, &error)) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const int status = start ? Start() : Enter();
  std::fflush(nullptr);
  _exit(status);  // as the worker leaves: some libraries abort in their own exit handlers
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { return dlpack_cts::Main(argc, argv); }
