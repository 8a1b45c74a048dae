// bridge/entry.cc: enters the interpreter, with the environment's python as argv[0].
#include <Python.h>

#include <string>
#include <vector>

#include "bridge/object.h"
#include "bridge/symbols.h"
#include "subject/bridge.h"

namespace dlpack_cts {
namespace {

struct Entry {
  const BridgeConfig* config;
  int (*body)(void*);
  void* context;
  int status;  // the result of `body`; 3 until it returned
};
Entry g_entry;

bool ExtendPath(const std::vector<std::string>& folders) {
  PyObject* path = PySys_GetObject("path");
  if (path == nullptr) return false;
  for (size_t i = 0; i < folders.size(); ++i) {
    const Ref folder = Ref::Steal(PyUnicode_DecodeFSDefault(folders[i].c_str()));
    if (!folder || PyList_Insert(path, static_cast<Py_ssize_t>(i), folder.get()) != 0) return false;
  }
  return true;
}

PyObject* CallBack(PyObject*, PyObject*) {
  if (!ExtendPath(g_entry.config->path)) return nullptr;
  g_entry.status = g_entry.body(g_entry.context);
  Py_RETURN_NONE;
}

PyMethodDef g_methods[] = {{"main", CallBack, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyModuleDef g_module = {
    PyModuleDef_HEAD_INIT, "_dlpack_cts", nullptr, -1, g_methods, nullptr, nullptr, nullptr, nullptr};

PyObject* MakeModule() { return PyModule_Create(&g_module); }

}  // namespace

extern "C" __attribute__((visibility("default"))) int dlpack_cts_bridge_enter(const BridgeConfig& config,
                                                                              int (*body)(void*), void* context) {
  g_entry = {&config, body, context, 3};
  if (PyImport_AppendInittab("_dlpack_cts", MakeModule) != 0) return 3;
  std::string python = config.python;
  std::string isolated = config.site ? "-I" : "-IS";
  std::string command = "-c";
  std::string code = "import _dlpack_cts; _dlpack_cts.main()";
  char* argv[] = {python.data(), isolated.data(), command.data(), code.data(), nullptr};
  Py_BytesMain(4, argv);
  return g_entry.status;
}

extern "C" __attribute__((visibility("default"))) bool dlpack_cts_bridge_start(const BridgeConfig& config,
                                                                               BridgeError* error) {
  if (Py_IsInitialized() == 0) {
    SetProgramName(config.python.c_str());
    Py_InitializeEx(0);
  }
  if (Py_IsInitialized() == 0 || !ExtendPath(config.path)) {
    error->message = "the interpreter " + config.python + " could not be started";
    error->hint = "check that it runs, and that it belongs to the libpython that was loaded";
    return false;
  }
  return true;
}

extern "C" __attribute__((visibility("default"))) void dlpack_cts_bridge_at_fork(ForkStage stage) {
  if (stage == ForkStage::kBefore) PyOS_BeforeFork();
  if (stage == ForkStage::kInParent) PyOS_AfterFork_Parent();
  if (stage == ForkStage::kInChild) PyOS_AfterFork_Child();
}

}  // namespace dlpack_cts
