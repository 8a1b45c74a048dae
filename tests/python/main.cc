// tests/python/main.cc: enters the interpreter that the command line names, and runs all tests inside it.
//
// With --start the interpreter is started beside our own main, as fuzz targets and benchmarks do it.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/failure.h"
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
  const auto failure = FailureOf([] { g_opened.subject = &OpenInPython(g_opened.config); });
  if (!failure) return RUN_ALL_TESTS();
  std::fputs(Printed(*failure).c_str(), stderr);
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
  int status = 1;
  try {
    LoadBridge(libpython);
    if (start) StartPython(g_opened.config);
    status = start ? RunTests(nullptr) : EnterPython(g_opened.config, RunTests, nullptr);
  } catch (const Failure& failure) {
    std::fputs(Printed(failure).c_str(), stderr);
  }
  std::fflush(nullptr);
  _exit(status);  // as the worker leaves: some libraries abort in their own exit handlers
}

}  // namespace
}  // namespace dlpack_cts

int main(int argc, char** argv) { return dlpack_cts::Main(argc, argv); }
