// bridge/symbols.cc: the few CPython symbols outside the limited API.
#include "bridge/symbols.h"

#include <Python.h>
#include <dlfcn.h>

namespace dlpack_cts {

int HoldsGil() {
  using Check = int (*)();
  static const auto check = reinterpret_cast<Check>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
  return check != nullptr ? check() : 1;
}

int HasPendingException() { return HoldsGil() && PyErr_Occurred() != nullptr; }

void SetProgramName(const char* path) {
  using Set = void (*)(const wchar_t*);
  const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "Py_SetProgramName"));
  if (set == nullptr) return;
  // The interpreter keeps the pointer as long as it exists.
  wchar_t* wide = Py_DecodeLocale(path, nullptr);
  if (wide != nullptr) set(wide);
}

}  // namespace dlpack_cts
