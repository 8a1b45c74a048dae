// adapters/python/subject.cc: a Python library as a subject: life, threads, forks, and any array.
#include "adapters/python/subject.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "adapters/python/symbols.h"
#include "harness/forge/thread.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

PyObject* Object(Handle array) { return static_cast<PyObject*>(array); }

bool ReadTuple(PyObject* tuple, int64_t* out, int32_t* count) {
  if (!PyTuple_Check(tuple)) return false;
  const Py_ssize_t size = PyTuple_Size(tuple);
  for (Py_ssize_t i = 0; i < size && i < kDims; ++i) {
    if (!ToNearestInt64(PyTuple_GetItem(tuple, i), &out[i])) return false;
  }
  *count = static_cast<int32_t>(size);
  return true;
}

}  // namespace

bool PythonSubject::Prepare() {
  dlpack_name_ = Ref::Steal(PyUnicode_InternFromString("__dlpack__"));
  device_name_ = Ref::Steal(PyUnicode_InternFromString("__dlpack_device__"));
  const Ref types = Ref::Steal(PyImport_ImportModule("types"));
  const Ref gc = Ref::Steal(PyImport_ImportModule("gc"));
  if (!types || !gc || !MakeProducerType()) return false;
  request_type_ = Ref::Steal(PyObject_GetAttrString(types.get(), "SimpleNamespace"));
  collect_ = Ref::Steal(PyObject_GetAttrString(gc.get(), "collect"));
  return request_type_ && collect_;
}

SubjectInfo PythonSubject::Info() {
  const std::string version = Py_GetVersion();
  return {config_.library, adapter_.version, "CPython " + version.substr(0, version.find(' '))};
}

int PythonSubject::DataTypeIndexOf(PyObject* name, Description& description) {
  const auto known = dtype_names_.find(name);
  if (known != dtype_names_.end()) return known->second;
  const std::string text = TextOf(name);
  const int index = DataTypeIndex(text);
  if (dtype_names_.size() < 256) {
    Py_INCREF(name);
    dtype_names_.emplace(name, index);
  }
  if (index < 0) description.dtype_name.Set(text);
  return index;
}

void PythonSubject::Complain(const char* function, const char* otherwise) {
  const bool raised = PyErr_Occurred() != nullptr;
  if (complaint_.empty()) {
    complaint_ = std::string("the adapter's ") + function + "() " + (raised ? "failed: " : otherwise);
    if (raised) complaint_ += DescribeException(nullptr);
  }
  PyErr_Clear();
}

void PythonSubject::Describe(Handle array, Description& description) {
  description = Description{};
  description.writable = -1;
  const Ref tuple = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_.describe.get(), Object(array), nullptr));
  if (!tuple || !PyTuple_Check(tuple.get()) || PyTuple_Size(tuple.get()) != 6) {
    Complain("describe", "returned no tuple of six");
    return;
  }
  PyObject* pointer = PyTuple_GetItem(tuple.get(), 0);
  if (pointer != Py_None) {
    description.pointer = PyLong_AsUnsignedLongLong(pointer);
    description.has_pointer = PyErr_Occurred() == nullptr;
    PyErr_Clear();
  }
  int32_t strides = 0;
  description.valid = ReadTuple(PyTuple_GetItem(tuple.get(), 1), description.shape, &description.ndim);
  if (!description.valid) Complain("describe", "returned a shape that is no tuple of integers");
  description.has_strides =
      ReadTuple(PyTuple_GetItem(tuple.get(), 2), description.byte_strides, &strides) && strides == description.ndim;
  PyObject* name = PyTuple_GetItem(tuple.get(), 3);
  const int index = DataTypeIndexOf(name, description);
  description.known_dtype = index >= 0;
  if (index >= 0) {
    description.dtype = DataTypes()[static_cast<size_t>(index)].dtype;
    description.dtype_name.Set(DataTypes()[static_cast<size_t>(index)].name);
  }
  int64_t device[kDims] = {};
  int32_t parts = 0;
  description.has_device = ReadTuple(PyTuple_GetItem(tuple.get(), 4), device, &parts) && parts == 2;
  description.device = {static_cast<int32_t>(device[0]), static_cast<int32_t>(device[1])};
  PyObject* writable = PyTuple_GetItem(tuple.get(), 5);
  description.writable = writable == Py_True ? 1 : writable == Py_False ? 0 : -1;
}

int64_t PythonSubject::Values(Handle array, std::span<uint8_t> out) {
  const Ref bytes = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_.values.get(), Object(array), nullptr));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!bytes || PyBytes_AsStringAndSize(bytes.get(), &data, &size) != 0) {
    Complain("values", "");
    return -1;
  }
  const size_t kept = std::min(out.size(), static_cast<size_t>(size));
  std::memcpy(out.data(), data, kept);
  return size;
}

Handle PythonSubject::CallHook(const Ref& hook, Handle array) {
  if (!hook) return nullptr;
  PyObject* result = PyObject_CallFunctionObjArgs(hook.get(), Object(array), nullptr);
  if (result == nullptr) PyErr_Clear();
  return result;
}

Handle PythonSubject::Compute(Handle array) { return CallHook(adapter_.compute, array); }
Handle PythonSubject::View(Handle array) { return CallHook(adapter_.view, array); }

bool PythonSubject::Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) {
  if (!adapter_.write) {
    refusal.outcome = Outcome::kUnsupported;
    return false;
  }
  const Ref done = Ref::Steal(
      PyObject_CallFunction(adapter_.write.get(), "OLy#", Object(array), static_cast<long long>(index),
                            reinterpret_cast<const char*>(bits.data()), static_cast<Py_ssize_t>(bits.size())));
  if (done) return true;
  TakeException(refusal, true);
  return false;
}

bool PythonSubject::ChangeMetadata(Handle array, int how, Refusal& refusal) {
  constexpr const char* kHow[] = {"reshape", "transpose", "resize"};
  refusal.outcome = Outcome::kUnsupported;
  if (!adapter_.change_metadata || how < 0 || how > 2) return false;
  const Ref done = Ref::Steal(PyObject_CallFunction(adapter_.change_metadata.get(), "Os", Object(array), kHow[how]));
  if (!done) {
    TakeException(refusal, true);
    return false;
  }
  refusal.outcome = Outcome::kAccepted;
  return true;
}

void PythonSubject::Drop(Handle array) { Py_XDECREF(Object(array)); }

void PythonSubject::DropElsewhere(Handle array) {
  OnRawThread([array] {
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_XDECREF(Object(array));
    PyGILState_Release(state);
  });
}

void PythonSubject::Collect() {
  if (adapter_.release) {
    const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(adapter_.release.get(), nullptr));
    PyErr_Clear();
  }
  CollectGarbage();
}

void PythonSubject::CollectGarbage() {
  const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(collect_.get(), nullptr));
  PyErr_Clear();
}

void PythonSubject::EndLife() {
  slots_->EndExchanges();
  for (PyObject*& capsule : exported_) Py_CLEAR(capsule);
}

void PythonSubject::Freeze() {
  const Ref gc = Ref::Steal(PyImport_ImportModule("gc"));
  const Ref done = Ref::Steal(gc ? PyObject_CallMethod(gc.get(), "freeze", nullptr) : nullptr);
  PyErr_Clear();
}

int64_t PythonSubject::References(Handle array) { return array != nullptr ? Py_REFCNT(Object(array)) : 0; }

bool PythonSubject::Watch(Handle array) {
  watched_ = Ref::Steal(PyWeakref_NewRef(Object(array), nullptr));
  PyErr_Clear();
  return static_cast<bool>(watched_);
}

bool PythonSubject::WatchedIsAlive() {
  if (!watched_) return false;
  const Ref target = Ref::Steal(PyObject_CallFunctionObjArgs(watched_.get(), nullptr));
  PyErr_Clear();
  return target && target.get() != Py_None;
}

void PythonSubject::OnRawThread(const std::function<void()>& work) {
  // A correct deleter waits for the GIL: joining while holding it would be a deadlock of our own.
  PyThreadState* state = PyEval_SaveThread();
  std::thread([&work] {
    const ThreadMark mark;
    work();
  }).join();
  PyEval_RestoreThread(state);
}

ThreadProbe PythonSubject::Probe() { return {&HoldsGil, &HasPendingException}; }

void PythonSubject::BeforeFork() {
  if (!frozen_) {
    frozen_ = true;
    CollectGarbage();  // not release(): nothing was imported yet, and a death here would cost every case
    // Children then never walk (and copy) the pages of the library's own objects.
    Freeze();
  }
  PyOS_BeforeFork();
}

void PythonSubject::AfterForkInParent() { PyOS_AfterFork_Parent(); }
void PythonSubject::AfterForkInChild() { PyOS_AfterFork_Child(); }

extern "C" __attribute__((visibility("default"))) Subject* dlpack_cts_bridge_open(const BridgeConfig& config,
                                                                                  BridgeError* error) {
  Adapter adapter;
  if (!OpenAdapter(config, &adapter, error)) return nullptr;
  auto* subject = new PythonSubject(config, std::move(adapter));
  if (subject->Prepare()) return subject;
  error->message = "the bridge could not be prepared: " + DescribeException(&error->traceback);
  error->hint = "check that the interpreter's standard library is complete";
  return nullptr;
}

}  // namespace dlpack_cts
