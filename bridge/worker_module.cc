// bridge/worker_module.cc: the extension module _dlpack_cts_worker, which loads the worker into an interpreter.
//
// It is used if the interpreter has no shared libpython (worker/interpreter.h). Its one function loads
// libdlpack-cts-worker.so from its own folder, and enters it.
#include <Python.h>
#include <dlfcn.h>

#include <string>
#include <vector>

namespace {

/// The folder comes first, then the arguments of the worker.
PyObject* Run(PyObject*, PyObject* given) {
  std::vector<std::string> arguments;
  for (Py_ssize_t i = 0; i < PyTuple_Size(given); ++i) {
    PyObject* const bytes = PyUnicode_EncodeFSDefault(PyTuple_GetItem(given, i));
    if (bytes == nullptr) return nullptr;
    arguments.emplace_back(PyBytes_AsString(bytes));
    Py_DECREF(bytes);
  }
  if (arguments.empty()) {
    PyErr_SetString(PyExc_TypeError, "main() needs the folder of the worker");
    return nullptr;
  }
  // RTLD_GLOBAL: the bridge uses its symbols.
  void* const worker = dlopen((arguments.front() + "libdlpack-cts-worker.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
  using Enter = int (*)(int, char**);
  const auto enter =
      reinterpret_cast<Enter>(worker != nullptr ? dlsym(worker, "dlpack_cts_worker_in_python") : nullptr);
  if (enter == nullptr) {
    PyErr_SetString(PyExc_ImportError, dlerror());
    return nullptr;
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return PyLong_FromLong(enter(static_cast<int>(arguments.size()), pointers.data()));
}

PyMethodDef g_methods[] = {{"main", Run, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyModuleDef g_module = {
    PyModuleDef_HEAD_INIT, "_dlpack_cts_worker", nullptr, -1, g_methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier): the name that CPython looks up.
PyMODINIT_FUNC PyInit__dlpack_cts_worker() { return PyModule_Create(&g_module); }
