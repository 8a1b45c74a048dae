// reference/python/object.h: the reference's Python array, as the files of this folder see it.
#ifndef DLPACK_CTS_REFERENCE_PYTHON_OBJECT_H_
#define DLPACK_CTS_REFERENCE_PYTHON_OBJECT_H_

#include <Python.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bridge/object.h"
#include "reference/array.h"

namespace dlpack_cts {

/// What a consumer may remember of a producer's class.
enum class ClassKnowledge : uint8_t { kVersion, kDevice, kKind };

/// An instance of the reference with its own Python type and exchange table.
struct PythonReference : Reference {
  int number = 0;            // which copy of the C functions is its own, where Python calls them without a context
  PyObject* type = nullptr;  // of its arrays: a subclass of the base type, with weak references
  abi::DLPackExchangeAPI api{};
  std::array<abi::DLPackExchangeAPI, 2> copies{};  // for mutants whose table moves, or that publish two tables
  Publishing published{};                          // how the type publishes the table now
  uint32_t publications = 0;
  bool table_failed = false;                            // the latest call of a function of the table, for mutants
  const abi::DLPackExchangeAPI* first_table = nullptr;  // for a mutant that uses one table for all objects
  std::map<PyObject*, const abi::DLPackExchangeAPI*> found_tables =
      {};                                // for a variant that caches them: the keys are owned types
  PyObject* latest_device = nullptr;     // for a variant that keeps it until the next import
  PyObject* latest_copy = nullptr;       // for a variant that keeps it until the next import
  PyObject* latest_result = nullptr;     // a weak reference to the latest import, for consumers that return it again
  std::set<PyObject*> known_types = {};  // for a variant that keeps them
  // For consumers that remember what they learnt of a class: the keys are owned types, or names.
  std::map<std::tuple<ClassKnowledge, PyObject*, std::string>, int> known_classes = {};
  std::vector<PyObject*> borrowed = {};  // capsules to be released later; the GIL guards the list
};
inline constexpr int kPythonReferences = 16;  // in one process

/// The attribute of the type that holds the table of a mutant whose arrays alone publish it.
inline constexpr char kTableOfArrays[] = "_table_of_arrays";

/// A new instance, which lives as long as the process. NULL with an exception set if there are too many.
PythonReference* NewPythonReference();
/// The instance with that number, which must exist.
PythonReference& PythonReferenceOf(size_t number);
/// The acting instance, which must have a Python type.
inline PythonReference& ActingInPython() { return static_cast<PythonReference&>(Acting::Now()); }

struct ReferenceObject {
  PyObject ob_base;
  Array* array;
  PyObject* stored_capsule;  // for a mutant that returns one capsule from every call
  PyObject* kept;            // for a variant that keeps the capsule, or the object, that it imported
  int64_t kept_stream;       // for a mutant that uses a stream's handle when the array is destroyed; 0: none
};

/// The IntegerClass bits of an integer, or of a tuple and its first item. 0 for the usual classes, and for anything
/// else.
uint32_t IntegerClassesOf(PyObject* object);

/// A new Python array that owns `array`, of the type of its instance. NULL with an exception set.
PyObject* WrapArray(std::unique_ptr<Array> array);
/// The array of a Python object. NULL with TypeError if it does not belong to the acting instance, or with BufferError
/// if it is closed, or was imported unchecked and cannot be used.
Array* ArrayOf(PyObject* object);
/// The same for an array that cannot be used, too.
Array* OpenOrClosed(PyObject* object);
inline ReferenceObject* ReferenceOf(PyObject* object) { return reinterpret_cast<ReferenceObject*>(object); }

/// Raises the exception of a denial. `changed` is the class that a variant raises instead.
void RaiseDenial(const Denial& denial, ErrorClass changed);
/// The exception class that `changed` names; `right` for kRight.
PyObject* ExceptionOf(ErrorClass changed, PyObject* right);

/// A keeper with a new reference to `object`.
Keeper KeepObject(PyObject* object);

// The methods of the protocol and the functions of the module. The caller has made an Acting.
PyObject* ReferenceDlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ReferenceDlpackDevice(PyObject* self, PyObject* unused);
PyObject* ReferenceFromDlpack(PyObject* module, PyObject* args, PyObject* kwargs);
/// The same as their behaviour remembers earlier exchanges and keeps references (earlier.cc).
PyObject* RememberingDlpack(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* RememberingFromDlpack(PyObject* module, PyObject* args, PyObject* kwargs);

/// Imports the tensor of a capsule. NULL with an exception set.
PyObject* TakeCapsule(PyObject* capsule, ImportOptions options);
/// Refuses a capsule: it stays as it is, and its destructor releases the tensor. Raises, and returns NULL.
PyObject* RefuseCapsule(const Denial& denial, PyObject* capsule, bool versioned, void* managed);

/// Whether the object is an array of any instance.
bool IsReferenceArray(PyObject* object);

/// Imports the object through the exchange table of its type. `ended`: it was imported, or refused with an exception
/// set. Otherwise the caller goes on with __dlpack__.
PyObject* TakeThroughTable(PyObject* object, const ImportOptions& options, bool* ended);
/// Imports the object through that table alone. Raises if the type has none.
PyObject* ReferenceFromExchange(PyObject* module, PyObject* object);
/// An array with the metadata of the object, read through that table. Its elements must not be used.
PyObject* PeekByTable(PyObject* object);

/// What a mutant does with a stream handle. Nothing for 0.
void TouchStream(int64_t handle);

/// A device type as an enumerator, which some libraries have. Empty with an exception set.
Ref CpuEnumerator();

/// Drops the capsules that a variant borrowed and no longer needs.
void ReleaseBorrowed(PythonReference& instance);

/// Publishes the exchange table of the instance on its type, as its behaviour says. Publishes it again if that changed.
void PublishTable(PythonReference& instance);
/// The same for a mutant whose subclasses have an attribute of their own.
void PublishForSubclass(PythonReference& instance, bool subclass);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_PYTHON_OBJECT_H_
