// adapters/python/reference_object.h: the reference's Python array, as its own files see it.
#ifndef DLPACK_CTS_ADAPTERS_PYTHON_REFERENCE_OBJECT_H_
#define DLPACK_CTS_ADAPTERS_PYTHON_REFERENCE_OBJECT_H_

#include <Python.h>

#include <memory>

#include "adapters/reference/array.h"

namespace dlpack_cts {

struct ReferenceObject {
  PyObject ob_base;
  Array* array;
  PyObject* stored_capsule;  // of a mutant that hands out one capsule for every call
  PyObject* kept_capsule;    // of a variant that keeps the capsule that it imported
};

/// A new Python array that owns `array`. NULL with an exception set.
PyObject* WrapArray(std::unique_ptr<Array> array);
/// The array behind a Python object; NULL with TypeError set.
Array* ArrayOf(PyObject* object);
inline ReferenceObject* ReferenceOf(PyObject* object) { return reinterpret_cast<ReferenceObject*>(object); }

/// Sets the exception of a denial. `changed` is the class that a variant raises instead.
void RaiseDenial(const Denial& denial, ErrorClass changed);
/// The class that stands for `changed`, or `right`.
PyObject* ExceptionOf(ErrorClass changed, PyObject* right);

/// A keeper that holds a new reference to `object`.
Keeper KeepObject(PyObject* object);

// The protocol's methods, and the module's functions that exchange.
PyObject* ReferenceDlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ReferenceDlpackDevice(PyObject* self, PyObject* unused);
PyObject* ReferenceFromDlpack(PyObject* module, PyObject* args, PyObject* kwargs);

/// The capsule and the int of the exchange API, for the type's dictionary. New references.
PyObject* ExchangeCapsule();
PyObject* ExchangeAddress();

/// Holds a pending exception back while something runs that must not see it.
class ExceptionHeldBack {
 public:
  ExceptionHeldBack() { PyErr_Fetch(&type_, &value_, &traceback_); }
  ~ExceptionHeldBack() { PyErr_Restore(type_, value_, traceback_); }
  ExceptionHeldBack(const ExceptionHeldBack&) = delete;
  ExceptionHeldBack& operator=(const ExceptionHeldBack&) = delete;

 private:
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_PYTHON_REFERENCE_OBJECT_H_
