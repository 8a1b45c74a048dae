// bridge/adapter.cc: imports an adapter and checks that it has the functions that it needs.
#include "bridge/adapter.h"

#include <unistd.h>

#include <algorithm>

namespace dlpack_cts {
namespace {

constexpr char kSeeDocs[] = "docs/adapters.md lists the functions of an adapter and what they return";

/// Imports the file under a private module name, so that a folder called numpy/ never hides the library.
Ref ImportFile(const std::string& file) {
  const Ref util = Ref::Steal(PyImport_ImportModule("importlib.util"));
  if (!util) return Ref();
  const Ref spec =
      Ref::Steal(PyObject_CallMethod(util.get(), "spec_from_file_location", "ss", kAdapterModule, file.c_str()));
  if (!spec) return Ref();
  Ref module = Ref::Steal(PyObject_CallMethod(util.get(), "module_from_spec", "O", spec.get()));
  const Ref loader = Ref::Steal(module ? PyObject_GetAttrString(spec.get(), "loader") : nullptr);
  const Ref done = Ref::Steal(loader ? PyObject_CallMethod(loader.get(), "exec_module", "O", module.get()) : nullptr);
  return done ? std::move(module) : Ref();
}

/// The folder of Python's own library.
std::string StandardFolder() {
  const Ref os = Ref::Steal(PyImport_ImportModule("os"));
  const Ref path = Ref::Steal(os ? PyObject_GetAttrString(os.get(), "__file__") : nullptr);
  PyErr_Clear();
  const std::string file = TextOf(path.get());
  return file.substr(0, file.rfind('/') + 1);
}

/// The innermost of the files, without generated code and Python's own library, which only fail for their caller.
std::string Origin(const std::vector<std::string>& files) {
  const std::string standard = StandardFolder();
  const auto counts = [&](const std::string& file) {
    const bool own = file.starts_with(standard) && file.find("-packages/") == std::string::npos;
    return !file.empty() && file.front() != '<' && !own;
  };
  const auto found = std::find_if(files.rbegin(), files.rend(), counts);
  return found == files.rend() ? "" : *found;
}

/// The name of the module if the pending exception says that one is not installed. The exception stays pending.
std::string MissingModule() {
  if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError) == 0) return "";
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  const Ref name = Ref::Steal(value != nullptr ? PyObject_GetAttrString(value, "name") : nullptr);
  PyErr_Clear();
  std::string text = TextOf(name.get());
  PyErr_Restore(type, value, traceback);
  return text;
}

bool ImportFailed(const std::string& file, BridgeError* error) {
  const std::string missing = MissingModule();
  const bool syntax = PyErr_ExceptionMatches(PyExc_SyntaxError) != 0;
  const bool import = PyErr_ExceptionMatches(PyExc_ImportError) != 0;
  std::vector<std::string> files;
  const std::string what = DescribeException(&error->traceback, &files);
  const std::string origin = Origin(files);
  if (!origin.empty() && origin != file) {
    error->message = "the library could not be imported: " + origin +
                     ", which belongs to the library and not to the adapter, raised " + what;
    error->hint = import ? "install what the library needs into the environment, or name another one with --python"
                         : "import the library alone with the environment's python: it may not support that version";
  } else if (!missing.empty()) {
    error->message = "the module " + missing + ", which its adapter imports, is not installed in " +
                     TextOf(PySys_GetObject("prefix"));
    error->hint = "install the library there, or name another environment with --python";
    error->traceback.clear();  // it would only say that the adapter has an import statement
  } else if (syntax) {
    error->message = "the adapter " + file + " has a syntax error: " + what;
    error->hint = "fix the line that is named";
  } else {
    error->message = "the adapter " + file + " could not be imported: " + what;
    error->hint = import ? "install the library into the environment, or name another one with --python"
                         : "run the adapter alone with the environment's python to see the whole traceback";
  }
  return false;
}

Ref Function(PyObject* module, const char* name) {
  Ref function = Ref::Steal(PyObject_GetAttrString(module, name));
  if (!function) PyErr_Clear();
  return function && PyCallable_Check(function.get()) ? std::move(function) : Ref();
}

bool Missing(const std::string& where, std::string_view name, BridgeError* error) {
  error->message = "the adapter " + where + " has no function " + std::string(name);
  error->hint = kSeeDocs;
  return false;
}

}  // namespace

MakeReference g_make_reference = nullptr;

bool OpenAdapter(const BridgeConfig& config, Adapter* adapter, BridgeError* error) {
  const bool reference = config.adapter.empty();
  const std::string file = reference ? "of the reference" : config.adapter + "/adapter.py";
  if (!reference && access(file.c_str(), R_OK) != 0) {
    error->message = "the adapter folder " + config.adapter + " has no readable adapter.py";
    error->hint = kSeeDocs;
    return false;
  }
  adapter->module = reference ? Ref::Steal(g_make_reference(&adapter->reference)) : ImportFile(file);
  if (!adapter->module) return ImportFailed(file, error);
  PyObject* module = adapter->module.get();
  const HookRow* lacking =
      nullptr;  // the first missing function that every adapter needs, or else one that the claims need
  for (const HookRow& row : Hooks()) {
    if (row.python.empty()) continue;
    Ref& function = (*adapter)[row.hook] = Function(module, row.python.data());
    const bool first = lacking == nullptr || (row.always && !lacking->always);
    if (!function && first && row.IsNeededBy(config.claims)) lacking = &row;
  }
  if (lacking != nullptr && lacking->always) return Missing(file, lacking->python, error);
  if (!(*adapter)[Hook::kFromDlpack] && !(*adapter)[Hook::kMake]) {
    return Missing(file, "from_dlpack and no function make", error);
  }
  if (lacking != nullptr)
    return Missing(file, std::string(lacking->python) + ", " + std::string(lacking->because), error);
  const Ref text = Ref::Steal(PyObject_CallFunctionObjArgs((*adapter)[Hook::kVersion].get(), nullptr));
  if (!text || !PyUnicode_Check(text.get())) {
    const std::string what = text ? "it did not return a string" : DescribeException(&error->traceback);
    error->message = "version() of the adapter " + file + " failed: " + what;
    error->hint = kSeeDocs;
    return false;
  }
  adapter->version = TextOf(text.get());
  return true;
}

}  // namespace dlpack_cts
