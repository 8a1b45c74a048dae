// reference/python/earlier.cc: exchanges that depend on earlier ones, and references that are never dropped.
#include <string_view>
#include <thread>
#include <utility>

#include "bridge/object.h"
#include "reference/managed.h"
#include "reference/python/object.h"

namespace dlpack_cts {
namespace {

const Remembering& Remembered() { return ActiveBehaviour().remembering; }
const Keeping& Kept() { return ActiveBehaviour().keeping; }

bool IsUsual() { return Remembered() == Remembering{} && Kept() == Keeping{} && !ActiveBehaviour().warning.exports; }

/// A copy of the keywords, to be changed. Empty with an exception set.
Ref Changeable(PyObject* kwargs) { return Ref::Steal(kwargs != nullptr ? PyDict_Copy(kwargs) : PyDict_New()); }

/// Borrowed, or NULL.
PyObject* Passed(PyObject* kwargs, const char* name) {
  return kwargs != nullptr ? PyDict_GetItem(kwargs, Name(name)) : nullptr;
}

bool IsGiven(PyObject* kwargs, const char* name) {
  PyObject* const value = Passed(kwargs, name);
  return value != nullptr && value != Py_None;
}

bool IsOnThread() {
  static const std::thread::id s_main = std::this_thread::get_id();  // of the first exchange
  return std::this_thread::get_id() != s_main;
}

/// Bits of Ending. The exception stays pending.
uint32_t EndingOf(PyObject* result, PyObject* kwargs, const char* device) {
  const uint32_t thread = IsOnThread() ? uint32_t{kEndsOnThread} : 0;
  if (result == nullptr) {
    const bool refused = PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_BufferError) != 0;
    return thread | (refused ? kEndsRefused : kEndsRaised);
  }
  PyObject* const copy = Passed(kwargs, "copy");
  uint32_t ending = thread;
  if (copy == Py_True) ending |= kEndsCopied;
  if (copy == Py_False) ending |= kEndsUnshared;
  if (IsGiven(kwargs, device)) ending |= kEndsAtDevice;
  return ending == thread ? ending | kEndsPlain : ending;
}

void KeepReference(uint32_t endings, uint32_t ending, PyObject* object) {
  if ((endings & ending) != 0) Py_XINCREF(object);
}

void KeepNone(uint32_t ending) {
  if ((Kept().none & ending) == 0) return;
  if (Kept().drops_none) {
    Py_DECREF(Py_None);
  } else {
    Py_INCREF(Py_None);
  }
}

PyObject* TypeOf(PyObject* object) { return reinterpret_cast<PyObject*>(Py_TYPE(object)); }

PyObject* Raise(Then then) {
  const bool refuses = then == Then::kRefuses;
  PyErr_SetString(refuses ? PyExc_BufferError : PyExc_SystemError,
                  refuses ? "an earlier exchange is not forgotten" : "a result was returned with an exception set");
  return nullptr;
}

bool Raises(Then then) { return then == Then::kRefuses || then == Then::kRaises; }

/// Adds the keywords that make the exchange such a one.
void ChangeKeywords(Then then, PyObject* kwargs) {
  if (then == Then::kCopies || then == Then::kSpoils) PyDict_SetItem(kwargs, Name("copy"), Py_True);
  if (then != Then::kTurnsKind) return;
  if (IsGiven(kwargs, "max_version")) {
    PyDict_DelItem(kwargs, Name("max_version"));
  } else {
    PyDict_SetItem(kwargs, Name("max_version"), Ref::Steal(Py_BuildValue("(ii)", 1, 3)).get());
  }
}

void ChangeArray(Then then, PyObject* result) {
  Array& array = *ReferenceOf(result)->array;
  if (then == Then::kReadOnly) array.read_only = true;
  if (then == Then::kSpoils && array.Count() > 0 && array.first != nullptr) *array.first ^= 1;
}

void ChangeStruct(Then then, PyObject* capsule) {
  const char* const name = PyCapsule_GetName(capsule);
  void* const managed = PyCapsule_GetPointer(capsule, name);
  const bool versioned = name != nullptr && std::string_view(name) == abi::kVersionedName;
  if (managed == nullptr) return PyErr_Clear();
  if (then == Then::kReadOnly && versioned) {
    static_cast<abi::DLManagedTensorVersioned*>(managed)->flags |= abi::kFlagReadOnly;
  }
  const abi::DLTensor& tensor = TensorOf(versioned, managed);
  bool empty = tensor.data == nullptr;
  for (int d = 0; d < tensor.ndim; ++d) empty = empty || tensor.shape[d] == 0;
  if (then == Then::kSpoils && !empty) static_cast<uint8_t*>(tensor.data)[tensor.byte_offset] ^= 1;
}

/// Keeps the device of the latest import, and each type of a producer once.
void KeepSome(PyObject* object, PyObject* device) {
  PythonReference& instance = ActingInPython();
  if (Kept().latest) Ref::Steal(std::exchange(instance.latest_device, Ref::Borrow(device).release()));
  if (Kept().types && instance.known_types.insert(TypeOf(object)).second) Py_INCREF(TypeOf(object));
}

/// The result keeps the object as long as it lives, or not visibly for the garbage collector.
void KeepInResult(uint32_t ending, PyObject* object, PyObject* result) {
  if (result == nullptr || (Kept().own_producer & ending) == 0) return;
  if (!Kept().hidden) {
    PyObject_SetAttr(result, Name("kept"), object);
  } else if (ReferenceOf(result)->kept == nullptr) {
    ReferenceOf(result)->kept = Ref::Borrow(object).release();
  }
}

void Freeze(Array* array) {
  if (array != nullptr) array->read_only = !Remembered().thaws;
}

/// Warns. False with the warning as an exception.
bool MayExport(PyObject* self) {
  const Warning& warning = ActiveBehaviour().warning;
  if (!warning.exports || PyErr_WarnEx(PyExc_UserWarning, "exports are an experiment", 1) == 0) return true;
  if (warning.leaks) Py_INCREF(self);
  return warning.hides;
}

}  // namespace

PyObject* RememberingFromDlpack(PyObject* module, PyObject* args, PyObject* kwargs) {
  if (IsUsual()) return ReferenceFromDlpack(module, args, kwargs);
  Reference& instance = Acting::Now();
  const bool within = instance.importing_depth > 0 || IsDeleting();
  PyObject* const object = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : nullptr;
  const uint32_t before = std::exchange(instance.import_ending, 0);
  Then then = (before & Remembered().next_import_after) != 0 ? Remembered().next_import : Then::kNothing;
  const Ref changed = Changeable(kwargs);
  if (!changed) return nullptr;
  ChangeKeywords(then, changed.get());
  const bool outer_imported = std::exchange(instance.imported_within, false);
  ++instance.importing_depth;
  PyObject* result = Raises(then) ? Raise(then) : ReferenceFromDlpack(module, args, changed.get());
  --instance.importing_depth;
  if (std::exchange(instance.imported_within, outer_imported || within) && result != nullptr &&
      Remembered().import_around != Then::kNothing) {
    then = Remembered().import_around;
    if (Raises(then)) {
      Py_CLEAR(result);
      Raise(then);
    }
  }
  if (result != nullptr) ChangeArray(then, result);
  const uint32_t ending = EndingOf(result, kwargs, "device") | (within ? uint32_t{kEndsWithin} : 0);
  if (!Raises(then)) instance.import_ending |= ending;  // one import remembers, and the next one forgets
  if (object == nullptr) return result;
  KeepReference(Kept().producer, ending, object);
  KeepReference(Kept().producer_type, ending, TypeOf(object));
  KeepReference(Kept().device, ending, Passed(kwargs, "device"));
  KeepNone(ending);
  KeepSome(object, Passed(kwargs, "device"));
  KeepInResult(ending, object, result);
  if ((Remembered().freezes_own_after & ending) != 0 && IsReferenceArray(object)) Freeze(ReferenceOf(object)->array);
  return result;
}

PyObject* RememberingDlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (IsUsual()) return ReferenceDlpack(self, args, kwargs);
  if (!MayExport(self)) return nullptr;
  Reference& instance = Acting::Now();
  Array* const array = ReferenceOf(self)->array;
  const uint32_t before = std::exchange(instance.export_ending, 0);
  Then then = (before & Remembered().next_export_after) != 0 ? Remembered().next_export : Then::kNothing;
  if (array != nullptr && (array->export_endings & Remembered().array_after) != 0) then = Remembered().array_export;
  const Ref changed = Changeable(kwargs);
  if (!changed) return nullptr;
  ChangeKeywords(then, changed.get());
  PyObject* const capsule = Raises(then) ? Raise(then) : ReferenceDlpack(self, args, changed.get());
  const bool made = capsule != nullptr && PyCapsule_CheckExact(capsule);
  if (made && then != Then::kNothing) ChangeStruct(then, capsule);
  uint32_t ending = EndingOf(capsule, kwargs, "dl_device");
  if (capsule != nullptr && !IsGiven(kwargs, "max_version")) ending |= kEndsLegacy;
  if (!Raises(then)) instance.export_ending = ending;
  if (array != nullptr) array->export_endings |= ending;
  KeepReference(Kept().array, ending, self);
  KeepReference(Kept().array_type, ending, TypeOf(self));
  KeepReference(Kept().made_capsule, ending, capsule);
  KeepReference(Kept().max_version, ending, Passed(kwargs, "max_version"));
  KeepReference(Kept().dl_device, ending, Passed(kwargs, "dl_device"));
  KeepNone(ending);
  if ((Remembered().freezes_exported_after & ending) != 0) Freeze(array);
  return capsule;
}

}  // namespace dlpack_cts
