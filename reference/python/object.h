// reference/python/object.h: the reference's Python array, as its own files see it.
#ifndef DLPACK_CTS_REFERENCE_PYTHON_OBJECT_H_
#define DLPACK_CTS_REFERENCE_PYTHON_OBJECT_H_

#include <Python.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "bridge/object.h"
#include "reference/array.h"

namespace dlpack_cts {

/// An instance of the reference as Python sees it: with a type and an exchange table of its own.
struct PythonReference : Reference {
  int number = 0;            // of the copy of each C function that Python calls without a context
  PyObject* type = nullptr;  // of its arrays: a subclass of ours that knows weak references
  abi::DLPackExchangeAPI api{};
  std::array<abi::DLPackExchangeAPI, 2> copies{};  // of a mutant whose table moves, or has a double
  Publishing published{};                          // how the type shows it now
  uint32_t publications = 0;
  const abi::DLPackExchangeAPI* first_table = nullptr;                   // of a mutant that uses one table for all
  std::map<PyObject*, const abi::DLPackExchangeAPI*> found_tables = {};  // of a variant that keeps them: by type, owned
  std::vector<PyObject*> borrowed = {};  // capsules whose release waits; the GIL guards them
};
inline constexpr int kPythonReferences = 16;  // of one process

/// A new instance, which lives as long as the process; NULL with an exception set when there are too many.
PythonReference* NewPythonReference();
/// The instance with that number; it exists.
PythonReference& PythonReferenceOf(size_t number);
/// The instance that acts, which has to be one with a Python type.
inline PythonReference& ActingInPython() { return static_cast<PythonReference&>(Acting::Now()); }

struct ReferenceObject {
  PyObject ob_base;
  Array* array;
  PyObject* stored_capsule;  // of a mutant that hands out one capsule for every call
  PyObject* kept_capsule;    // of a variant that keeps the capsule that it imported
  int64_t kept_stream;       // of a mutant that uses the handle of a stream when the array goes away; 0: none
};

/// A new Python array that owns `array`, of the type of its instance. NULL with an exception set.
PyObject* WrapArray(std::unique_ptr<Array> array);
/// The array of a Python object. NULL with TypeError if it does not belong to the acting instance, or with BufferError
/// if it was imported unchecked and cannot be used.
Array* ArrayOf(PyObject* object);
inline ReferenceObject* ReferenceOf(PyObject* object) { return reinterpret_cast<ReferenceObject*>(object); }

/// Sets the exception of a denial. `changed` is the class that a variant raises instead.
void RaiseDenial(const Denial& denial, ErrorClass changed);
/// The class that stands for `changed`, or `right`.
PyObject* ExceptionOf(ErrorClass changed, PyObject* right);

/// A keeper that holds a new reference to `object`.
Keeper KeepObject(PyObject* object);

// The protocol's methods, and the module's functions that exchange. Their instance acts already.
PyObject* ReferenceDlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ReferenceDlpackDevice(PyObject* self, PyObject* unused);
PyObject* ReferenceFromDlpack(PyObject* module, PyObject* args, PyObject* kwargs);

/// Imports the tensor of a capsule. NULL with an exception set.
PyObject* TakeCapsule(PyObject* capsule, ImportOptions options);
/// What happens to the capsule of a refused tensor: nothing, so that its destructor releases it. Returns NULL.
PyObject* RefuseCapsule(const Denial& denial, PyObject* capsule, bool versioned, void* managed);

/// An array of any instance.
bool IsReferenceArray(PyObject* object);

/// Takes the object through the table of its type. `ended` tells that it was taken, or refused with an exception set;
/// otherwise __dlpack__ is the way.
PyObject* TakeThroughTable(PyObject* object, ImportOptions options, bool* ended);

/// What a mutant does with a stream that is not its own. Nothing for 0.
void TouchStream(int64_t handle);

/// A device type that is an enumerator, as some libraries have it; empty with an exception set.
Ref CpuEnumerator();

/// Drops the capsules that a variant borrowed and needs no longer.
void ReleaseBorrowed(PythonReference& instance);

/// Publishes the instance's table of the exchange API on its type, as its behaviour wants it; anew where that changed.
void PublishTable(PythonReference& instance);
/// The same of a mutant whose subclasses have an attribute of their own.
void PublishForSubclass(PythonReference& instance, bool subclass);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_PYTHON_OBJECT_H_
