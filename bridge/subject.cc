// bridge/subject.cc: a Python library as a subject: its adapter, and the hooks for arrays.
#include "bridge/subject.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "bridge/array_struct.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

// Types with forged tables are never freed, and each collection would visit all of them.
constexpr int64_t kLivesPerFreeze = 128;

/// Whether the object is an int and not a bool.
bool IsInteger(PyObject* object) {
  if (object == nullptr || PyBool_Check(object)) return false;
  const Ref index = Ref::Steal(PyNumber_Index(object));
  PyErr_Clear();
  return static_cast<bool>(index);
}

bool ReadTuple(PyObject* tuple, int64_t* out, int32_t* count) {
  if (!PyTuple_Check(tuple)) return false;
  const Py_ssize_t size = PyTuple_Size(tuple);
  for (Py_ssize_t i = 0; i < size && i < kDims; ++i) {
    PyObject* item = PyTuple_GetItem(tuple, i);
    if (!PyLong_CheckExact(item) && !IsInteger(item)) return false;
    if (!ToNearestInt64(item, &out[i])) return false;
  }
  *count = static_cast<int32_t>(size);
  return true;
}

/// A value with its type for a message, such as "the list [6]".
std::string Shown(PyObject* object) {
  const Ref name = Ref::Steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
  const Ref text = Ref::Steal(PyObject_Repr(object));
  PyErr_Clear();
  std::string shown = text ? TextOf(text.get()) : std::string();
  constexpr size_t kMost = 60;
  if (shown.size() > kMost) shown = shown.substr(0, kMost) + "...";
  return "the " + TextOf(name.get()) + " " + shown;
}

int64_t g_warnings = 0;  // issued since the process began

PyObject* CountWarning(PyObject*, PyObject*, PyObject*) {
  ++g_warnings;
  Py_RETURN_NONE;
}

PyMethodDef g_count_warning = {"count_warning",
                               reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(CountWarning)),
                               METH_VARARGS | METH_KEYWORDS, nullptr};

/// Counts every warning, also a repeated one: a library that narrows must warn each time.
bool WatchWarnings() {
  const Ref warnings = Ref::Steal(PyImport_ImportModule("warnings"));
  const Ref done = Ref::Steal(warnings ? PyObject_CallMethod(warnings.get(), "simplefilter", "s", "always") : nullptr);
  const Ref show = Ref::Steal(done ? PyCFunction_NewEx(&g_count_warning, nullptr, nullptr) : nullptr);
  return show && PyObject_SetAttrString(warnings.get(), "showwarning", show.get()) == 0;
}

constexpr int kComparedStructs = 100;  // so many descriptions of a process ask both functions

bool SameArray(const Description& told, const Description& read) {
  const auto same = [&](const int64_t* one, const int64_t* other) { return std::equal(one, one + read.ndim, other); };
  return told.has_pointer != 0 && told.pointer == read.pointer && told.has_shape != 0 && told.ndim == read.ndim &&
         same(told.shape, read.shape) && (told.has_strides == 0 || same(told.byte_strides, read.byte_strides)) &&
         told.dtype_name.view() == read.dtype_name.view() && told.device == read.device &&
         told.writable == read.writable;
}

}  // namespace

int64_t WarningsIssued() { return g_warnings; }

bool PythonSubject::Prepare() {
  const Ref types = Ref::Steal(PyImport_ImportModule("types"));
  if (!types || !MakeProducerType() || !WatchWarnings()) return false;
  request_type_ = Ref::Steal(PyObject_GetAttrString(types.get(), "SimpleNamespace"));
  return request_type_ && runtime_.Prepare();
}

SubjectInfo PythonSubject::Info() {
  const std::string version = Py_GetVersion();
  return {library_, adapter_.version, "CPython " + version.substr(0, version.find(' '))};
}

std::vector<std::string> PythonSubject::Lacks() {
  std::vector<std::string> lacks;
  if (!adapter_[Hook::kLacks]) return lacks;
  const Ref answer = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[Hook::kLacks].get(), nullptr));
  if (!answer) {
    NoteException(Hook::kLacks);
    return lacks;
  }
  const Ref names = Ref::Steal(
      PySequence_Check(answer.get()) && !PyUnicode_Check(answer.get()) ? PySequence_Tuple(answer.get()) : nullptr);
  PyErr_Clear();
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names.get()); ++i) {
    lacks.push_back(TextOf(PyTuple_GetItem(names.get(), i)));
  }
  if (!names)
    Note(Complaint::kReading, Hook::kLacks, "returned " + Shown(answer.get()) + "; expected a list of claims");
  return lacks;
}

void PythonSubject::Follow(const Declared& declared) {
  const auto says = [&](Trait trait) { return ((declared.traits >> static_cast<uint32_t>(trait)) & 1u) != 0; };
  typed_imports_ = says(Trait::kTypedImports);
  no_weak_references_ = says(Trait::kNoWeakReferences);
  if (adapter_.reference == nullptr) return;
  // If the arrays have no methods, a function exports them.
  adapter_[Hook::kExport] =
      says(Trait::kCapsulesOnly) ? Ref::Steal(PyObject_GetAttrString(adapter_.module.get(), "capsule_of")) : Ref();
}

int PythonSubject::DataTypeIndexOf(PyObject* name, Description& description) {
  const auto known = dtype_names_.find(name);
  if (known != dtype_names_.end() && known->second >= 0) return known->second;
  const std::string text = TextOf(name);
  const int index = DataTypeIndex(text);
  if (index >= 0 && dtype_names_.size() < 256) {
    Py_INCREF(name);
    dtype_names_.emplace(name, index);
  }
  if (index < 0) description.dtype_name.Set(text);
  return index;
}

void PythonSubject::Note(Complaint kind, Hook hook, const std::string& what) {
  Complain(kind, "the adapter's " + std::string(RowOf(hook).python) + "() " + what);
}

void PythonSubject::NoteException(Hook hook) {
  Note(Complaint::kReading, hook, "failed: " + DescribeException(nullptr));
  PyErr_Clear();
}

void PythonSubject::NotePart(Hook hook, const char* part, PyObject* given, const char* expected) {
  Note(Complaint::kReading, hook, std::string("returned ") + Shown(given) + " as " + part + "; expected " + expected);
}

void PythonSubject::Describe(Handle array, Description& description) {
  description = Description{};
  if (adapter_[Hook::kArrayStruct] && DescribeByStruct(array, description)) return;
  AskDescription(array, description);
}

void PythonSubject::AskDescription(Handle array, Description& description) {
  const Ref tuple = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[Hook::kDescribe].get(), Object(array), nullptr));
  if (!tuple) return NoteException(Hook::kDescribe);
  ReadDescription(tuple.get(), Hook::kDescribe, description);
}

bool PythonSubject::DescribeByStruct(Handle array, Description& description) {
  const Ref capsule =
      Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[Hook::kArrayStruct].get(), Object(array), nullptr));
  if (!capsule) {
    NoteException(Hook::kArrayStruct);
    return false;
  }
  if (capsule.get() == Py_None) return false;
  if (!PyCapsule_CheckExact(capsule.get())) {
    Note(Complaint::kReading, Hook::kArrayStruct,
         "returned " + Shown(capsule.get()) + "; expected the capsule of __array_struct__, or None");
    return false;
  }
  if (!ReadArrayStruct(capsule.get(), description)) return false;
  if (compared_structs_ >= kComparedStructs) return true;
  ++compared_structs_;
  Description told{};
  AskDescription(array, told);
  if (told.valid != 0 && !SameArray(told, description)) {
    Note(Complaint::kReading, Hook::kArrayStruct, "describes another array than describe() does");
  }
  return true;
}

void PythonSubject::ReadDescription(PyObject* tuple, Hook hook, Description& description) {
  if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != 6) {
    return Note(Complaint::kReading, hook,
                "returned " + Shown(tuple) +
                    "; expected a tuple of six: pointer, shape, byte strides, dtype, device, writable");
  }
  description.valid = 1;
  PyObject* const part[6] = {PyTuple_GetItem(tuple, 0), PyTuple_GetItem(tuple, 1), PyTuple_GetItem(tuple, 2),
                             PyTuple_GetItem(tuple, 3), PyTuple_GetItem(tuple, 4), PyTuple_GetItem(tuple, 5)};
  if (part[0] != Py_None) {
    const bool integer = PyLong_CheckExact(part[0]) || IsInteger(part[0]);
    const Ref address = Ref::Steal(integer ? PyNumber_Index(part[0]) : nullptr);
    if (address) description.pointer = PyLong_AsUnsignedLongLong(address.get());
    description.has_pointer = address && PyErr_Occurred() == nullptr;
    PyErr_Clear();
    if (!description.has_pointer) NotePart(hook, "pointer", part[0], "the address of element 0 as an int, or None");
  }
  if (part[1] != Py_None) {
    description.has_shape = ReadTuple(part[1], description.shape, &description.ndim);
    if (!description.has_shape) NotePart(hook, "shape", part[1], "a tuple of ints, or None");
  }
  if (part[2] != Py_None) {
    int32_t strides = 0;
    const bool read = ReadTuple(part[2], description.byte_strides, &strides);
    description.has_strides = read && description.has_shape != 0 && strides == description.ndim;
    if (!read || (description.has_shape != 0 && strides != description.ndim)) {
      NotePart(hook, "byte strides", part[2], "a tuple of ints, one for each dimension, or None");
    }
  }
  if (part[3] != Py_None) {
    const int index = PyUnicode_Check(part[3]) ? DataTypeIndexOf(part[3], description) : -1;
    const std::optional<abi::DLDataType> vector = index < 0 ? DataTypeOf(description.dtype_name.view()) : std::nullopt;
    description.known_dtype = index >= 0 || vector.has_value();
    if (vector.has_value()) description.dtype = *vector;
    if (index >= 0) {
      description.dtype = DataTypes()[static_cast<size_t>(index)].dtype;
      description.dtype_name.Set(DataTypes()[static_cast<size_t>(index)].name);
    }
    // An empty name is invalid. Any other unknown name is reported later, with the expected dtype.
    if (index < 0 && description.dtype_name.empty()) {
      NotePart(hook, "dtype", part[3], "a name such as \"float32\", or None");
    }
  }
  if (part[4] != Py_None) {
    int64_t device[kDims] = {};
    int32_t parts = 0;
    const auto fits = [](int64_t number) { return number == static_cast<int32_t>(number); };
    description.has_device = ReadTuple(part[4], device, &parts) && parts == 2 && fits(device[0]) && fits(device[1]);
    description.device = {static_cast<int32_t>(device[0]), static_cast<int32_t>(device[1])};
    if (!description.has_device) NotePart(hook, "device", part[4], "a tuple of two ints (type, id), or None");
  }
  description.writable = part[5] == Py_True ? Answer::kYes : part[5] == Py_False ? Answer::kNo : Answer::kUnknown;
  if (part[5] != Py_True && part[5] != Py_False && part[5] != Py_None) {
    NotePart(hook, "writable", part[5], "True, False or None");
  }
}

int64_t PythonSubject::Values(Handle array, std::span<uint8_t> out) { return BytesBy(Hook::kValues, array, out); }

int64_t PythonSubject::Fetch(Handle array, std::span<uint8_t> out) {
  return adapter_[Hook::kFetch] ? BytesBy(Hook::kFetch, array, out) : -1;
}

int64_t PythonSubject::WorkStream(Handle array) {
  if (!adapter_[Hook::kStream]) return -1;
  const Ref handle = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[Hook::kStream].get(), Object(array), nullptr));
  if (!handle) {
    NoteException(Hook::kStream);
    return -1;
  }
  int64_t stream = -1;
  if (handle.get() == Py_None) return -1;
  if (!PyLong_Check(handle.get()) || !ToInt64(handle.get(), &stream) || stream < 0) {
    Note(Complaint::kReading, Hook::kStream,
         "returned " + Shown(handle.get()) + "; expected the handle of a stream, an int, or None");
    return -1;
  }
  return stream;
}

int64_t PythonSubject::BytesBy(Hook hook, Handle array, std::span<uint8_t> out) {
  const Ref bytes = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[hook].get(), Object(array), nullptr));
  if (!bytes) {
    NoteException(hook);
    return kRaised;
  }
  if (bytes.get() == Py_None) return -1;
  if (!PyBytes_Check(bytes.get())) {
    Note(Complaint::kReading, hook,
         "returned " + Shown(bytes.get()) + "; expected bytes, or None if it cannot read them");
    return -1;
  }
  char* data = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(bytes.get(), &data, &size);
  const size_t kept = std::min(out.size(), static_cast<size_t>(size));
  std::memcpy(out.data(), data, kept);
  return size;
}

void PythonSubject::NoteMistake(Hook hook, bool type_errors) {
  const bool mistake = PyErr_ExceptionMatches(PyExc_AttributeError) != 0 ||
                       PyErr_ExceptionMatches(PyExc_NameError) != 0 ||
                       (type_errors && PyErr_ExceptionMatches(PyExc_TypeError) != 0);
  if (!mistake) return;
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  const Ref name = Ref::Steal(PyObject_GetAttrString(type, "__name__"));
  const Ref text = Ref::Steal(value != nullptr ? PyObject_Str(value) : nullptr);
  PyErr_Clear();
  Note(Complaint::kHook, hook, "failed: " + TextOf(name.get()) + ": " + TextOf(text.get()));
  PyErr_Restore(type, value, traceback);
}

Handle PythonSubject::Derive(Hook hook, Handle array) {
  if (!adapter_[hook]) return nullptr;
  Ref result = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[hook].get(), Object(array), nullptr));
  if (!result) {
    NoteMistake(hook, true);
    PyErr_Clear();
  } else if (result.get() == Py_None) {
    Note(Complaint::kHook, hook, "returned None; expected an array");
    return nullptr;
  }
  return result.release();
}

bool PythonSubject::Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) {
  if (!adapter_[Hook::kWrite]) {
    refusal.outcome = Outcome::kUnsupported;
    return false;
  }
  const Ref done = Ref::Steal(
      PyObject_CallFunction(adapter_[Hook::kWrite].get(), "OLy#", Object(array), static_cast<long long>(index),
                            reinterpret_cast<const char*>(bits.data()), static_cast<Py_ssize_t>(bits.size())));
  if (done) return true;
  NoteMistake(Hook::kWrite, true);
  TakeException(refusal, true);
  return false;
}

bool PythonSubject::ChangeMetadata(Handle array, int how, Refusal& refusal) {
  refusal.outcome = Outcome::kUnsupported;
  PyObject* const change = adapter_[Hook::kChangeMetadata].get();
  if (change == nullptr || how < 0 || how >= static_cast<int>(std::size(kChanges))) return false;
  const Ref done = Ref::Steal(PyObject_CallFunction(change, "Os", Object(array), kChanges[how].word.data()));
  if (!done) {
    TakeException(refusal, true);
    return false;
  }
  refusal.outcome = Outcome::kAccepted;
  return true;
}

void PythonSubject::Close(Handle array, Refusal& refusal) {
  refusal.outcome = Outcome::kUnsupported;
  if (!adapter_[Hook::kClose]) return;
  const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[Hook::kClose].get(), Object(array), nullptr));
  if (!done) return TakeException(refusal, true);
  refusal.outcome = Outcome::kAccepted;
}

void PythonSubject::Drop(Handle array) { Py_XDECREF(Object(array)); }

void PythonSubject::Collect() {
  if (adapter_[Hook::kRelease]) {
    const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_[Hook::kRelease].get(), nullptr));
    PyErr_Clear();
  }
  // Runs pending calls that deleters queued. The interpreter runs them before a byte code, but here may be none.
  if (Py_MakePendingCalls() != 0) PyErr_Clear();
  // Objects of the reference form no cycles by themselves; the release() above has freed them.
  const bool cycles = std::any_of(slots_->begin(), slots_->end(),
                                  [](const ProducerSlot& slot) { return slot.offer.gives == Gives::kKeepsArray; });
  if (adapter_.reference == nullptr || cycles) runtime_.CollectGarbage();
}

void PythonSubject::EndLife() {
  slots_->EndExchanges();
  for (PyObject*& capsule : exported_) Py_CLEAR(capsule);
  if (++lives_ % kLivesPerFreeze == 0) {
    runtime_.CollectGarbage();
    runtime_.WriteOffLeaks();
  }
}

int64_t PythonSubject::References(Handle array) { return array != nullptr ? Py_REFCNT(Object(array)) : 0; }

bool PythonSubject::Watch(Handle array, int number) {
  Ref& watched = watched_[number];
  watched = Ref();
  // The hook is about arrays that the library made.
  PyObject* const watch = number < kSlots ? adapter_[Hook::kWatch].get() : nullptr;
  const Ref target = watch != nullptr ? Ref::Steal(PyObject_CallFunctionObjArgs(watch, Object(array), nullptr))
                                      : Ref::Borrow(no_weak_references_ ? nullptr : Object(array));
  if (target && target.get() != Py_None) watched = Ref::Steal(PyWeakref_NewRef(target.get(), nullptr));
  PyErr_Clear();
  return static_cast<bool>(watched);
}

bool PythonSubject::WatchedIsAlive(int number) {
  const Ref& watched = watched_[number];
  if (!watched) return false;
  const Ref target = Ref::Steal(PyObject_CallFunctionObjArgs(watched.get(), nullptr));
  PyErr_Clear();
  return target && target.get() != Py_None;
}

extern "C" __attribute__((visibility("default"))) Subject* dlpack_cts_bridge_open(const BridgeConfig& config,
                                                                                  BridgeError* error) {
  Adapter adapter;
  if (!OpenAdapter(config, &adapter, error)) return nullptr;
  auto* subject = new PythonSubject(config, std::move(adapter));
  if (subject->Prepare()) return subject;
  error->message = "the CPython bridge could not be initialised: " + DescribeException(&error->traceback);
  error->hint = "check that the interpreter's standard library is complete";
  return nullptr;
}

}  // namespace dlpack_cts
