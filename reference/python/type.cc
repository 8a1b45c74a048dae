// reference/python/type.cc: the reference's Python type, and the functions that its adapter calls.
#include <array>
#include <cstring>
#include <vector>

#include "bridge/adapter.h"
#include "bridge/object.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/packing.h"
#include "reference/python/object.h"

namespace dlpack_cts {
namespace {

PyObject* g_names[32] = {};  // the names of DataTypes(), made once
PyObject* g_cpu = nullptr;   // (1, 0)
PyObject* g_base = nullptr;  // the base class of the types of all instances

std::array<PythonReference*, kPythonReferences> g_instances = {};

constexpr int64_t kLargestValues = int64_t{1} << 24;  // bytes; a huge extent must not use up the machine's memory

void Deallocate(PyObject* self) {
  ReferenceObject* object = ReferenceOf(self);
  TouchStream(object->kept_stream);
  {
    const ExceptionHeldBack held;  // the deleter of an import must not see a pending exception
    delete object->array;
    Py_CLEAR(object->stored_capsule);
    Py_CLEAR(object->kept);
  }
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

// ---- Functions of the adapter.

PyObject* Version(PyObject*, PyObject*) { return PyUnicode_FromString(DLPACK_CTS_VERSION); }

PyObject* Int64Tuple(const int64_t* values, int count) {
  PyObject* tuple = PyTuple_New(count);
  for (int i = 0; tuple != nullptr && i < count; ++i) PyTuple_SetItem(tuple, i, PyLong_FromLongLong(values[i]));
  return tuple;
}

PyObject* NameOf(abi::DLDataType dtype) {
  const int index = DataTypeIndex(dtype);
  if (index < 0 || index >= static_cast<int>(std::size(g_names))) {
    return PyUnicode_FromString(std::string(DataTypeName(dtype)).c_str());
  }
  PyObject*& name = g_names[index];
  if (name == nullptr) name = PyUnicode_InternFromString(std::string(DataTypeName(dtype)).c_str());
  Py_XINCREF(name);
  return name;
}

PyObject* Describe(PyObject*, PyObject* object) {
  const Array* array = ArrayOf(object);
  if (array == nullptr) {
    const bool unseen = PyErr_ExceptionMatches(PyExc_BufferError) != 0;
    if (!unseen) return nullptr;
    PyErr_Clear();
    return PyTuple_Pack(6, Py_None, Py_None, Py_None, Py_None, Py_None, Py_None);
  }
  PyObject* tuple = PyTuple_New(6);
  if (tuple == nullptr) return nullptr;
  // An array with elements and without data reports a NULL pointer.
  const bool tells = array->opaque ? array->LacksData() : array->first != nullptr;
  if (!tells) Py_INCREF(Py_None);
  PyObject* pointer = tells ? PyLong_FromVoidPtr(array->first) : Py_None;
  PyTuple_SetItem(tuple, 0, pointer);
  PyTuple_SetItem(tuple, 1, Int64Tuple(array->shape, array->ndim));
  // Packed elements have no strides in bytes.
  if (array->packed != 0) Py_INCREF(Py_None);
  PyTuple_SetItem(tuple, 2, array->packed != 0 ? Py_None : Int64Tuple(array->steps, array->ndim));
  const bool nameless = LacksDataType(array->oddity);
  if (nameless) Py_INCREF(Py_None);
  PyTuple_SetItem(tuple, 3,
                  nameless          ? Py_None
                  : array->raw != 0 ? PyUnicode_FromFormat("V%d", array->raw)
                                    : NameOf(array->dtype));
  const abi::DLDevice device = array->elsewhere ? abi::DLDevice{abi::kDLCUDA, 0} : array->device;
  const bool here = device == abi::DLDevice{abi::kDLCPU, 0};
  if (here) Py_INCREF(g_cpu);
  PyTuple_SetItem(tuple, 4, here ? g_cpu : Py_BuildValue("(ii)", device.device_type, device.device_id));
  const bool tells_writable = !ActiveBehaviour().having.no_read_only;
  if (!tells_writable) Py_INCREF(Py_None);
  PyTuple_SetItem(tuple, 5, tells_writable ? PyBool_FromLong(!array->read_only) : Py_None);
  return tuple;
}

/// What describe() says of the object's metadata. A DLTensor has no flags, so it is unknown whether it is writable.
PyObject* Peek(PyObject* module, PyObject* object) {
  const Ref array = Ref::Steal(PeekByTable(object));
  const Ref told = Ref::Steal(array ? Describe(module, array.get()) : nullptr);
  if (!told) return nullptr;
  PyObject* const result = PyTuple_New(6);
  for (int i = 0; result != nullptr && i < 6; ++i) {
    PyTuple_SetItem(result, i, Ref::Borrow(i < 5 ? PyTuple_GetItem(told.get(), i) : Py_None).release());
  }
  return result;
}

PyObject* Values(PyObject*, PyObject* object) {
  Array* array = ArrayOf(object);
  if (array == nullptr) return nullptr;
  if (array->locked) {
    PyErr_SetString(PyExc_RuntimeError, "the export locked the array");
    return nullptr;
  }
  const Having& having = ActiveBehaviour().having;
  if (array->opaque || (IsSubByte(array->dtype) && having.opaque_sub_bytes)) Py_RETURN_NONE;
  if (having.container && array->IsOpaque()) Py_RETURN_NONE;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(array->Count(), array->ItemSize(), &bytes) || bytes > kLargestValues) {
    return PyErr_NoMemory();
  }
  PyObject* result = PyBytes_FromStringAndSize(nullptr, bytes);
  if (result == nullptr) return nullptr;
  auto* const elements = reinterpret_cast<uint8_t*>(PyBytes_AsString(result));
  ReadElements(*array, elements);
  if (having.keeps_conversions) array->remembered.assign(elements, elements + bytes);
  return result;
}

PyObject* Write(PyObject*, PyObject* args) {
  PyObject* object = nullptr;
  long long index = 0;
  const char* bits = nullptr;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(args, "OLy#", &object, &index, &bits, &size)) return nullptr;
  Array* array = ArrayOf(object);
  if (array == nullptr) return nullptr;
  if (ActiveBehaviour().owning.writes_nowhere) Py_RETURN_NONE;
  if (size != array->ItemSize() || !WriteElement(*array, index, reinterpret_cast<const uint8_t*>(bits))) {
    PyErr_SetString(PyExc_ValueError, "the array is read-only, or has no such element");
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyObject* Compute(PyObject*, PyObject* object) {
  const Array* array = ArrayOf(object);
  if (array == nullptr) return nullptr;
  if (array->opaque) {
    PyErr_SetString(PyExc_NotImplementedError, "computations are made on the CPU only");
    return nullptr;
  }
  if (array->unusable || (ActiveBehaviour().having.container && array->IsOpaque())) {
    PyErr_SetString(PyExc_RuntimeError, "imported arrays cannot be used in computations");
    return nullptr;
  }
  PublishTable(ActingInPython());
  return WrapArray(CopyArray(*array));
}

PyObject* View(PyObject*, PyObject* object) {
  const Array* array = ArrayOf(object);
  return array == nullptr ? nullptr : WrapArray(array->View());
}

PyObject* ChangeMetadata(PyObject*, PyObject* args) {
  PyObject* object = nullptr;
  const char* how = nullptr;
  if (!PyArg_ParseTuple(args, "Os", &object, &how)) return nullptr;
  Array* array = ArrayOf(object);
  if (array == nullptr) return nullptr;
  Denial denial;
  const int change = std::strcmp(how, "reshape") == 0 ? 0 : std::strcmp(how, "transpose") == 0 ? 1 : 2;
  if (!ChangeArray(*array, change, &denial)) {
    PyErr_SetString(PyExc_ValueError, denial.text);
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyObject* Close(PyObject*, PyObject* object) {
  Array* array = OpenOrClosed(object);
  if (array == nullptr) return nullptr;
  if (Holds(ActiveBehaviour().closing.keeps_object, OccasionOf(*array, true, -1))) Py_INCREF(object);
  Denial denial;
  if (CloseArray(*array, &denial)) Py_RETURN_NONE;
  RaiseDenial(denial, ErrorClass::kRight);
  return nullptr;
}

/// Calls __dlpack__, for a library whose arrays have no methods.
PyObject* CapsuleOf(PyObject*, PyObject* args, PyObject* kwargs) {
  if (PyTuple_Size(args) != 1 || ArrayOf(PyTuple_GetItem(args, 0)) == nullptr) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "capsule_of() takes one array");
    return nullptr;
  }
  const Ref rest = Ref::Steal(PyTuple_New(0));
  return RememberingDlpack(PyTuple_GetItem(args, 0), rest.get(), kwargs);
}

PyObject* Release(PyObject*, PyObject*) {
  // Deferred releases on other threads may need the GIL.
  PyThreadState* state = PyEval_SaveThread();
  Acting::Now().Flush();
  PyEval_RestoreThread(state);
  ReleaseBorrowed(ActingInPython());
  Py_RETURN_NONE;
}

// ---- make(request)

bool ReadInts(PyObject* request, const char* name, std::vector<int64_t>* out) {
  const Ref tuple = Ref::Steal(PyObject_GetAttr(request, Name(name)));
  if (!tuple || !PyTuple_Check(tuple.get())) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.get()); ++i) {
    out->push_back(PyLong_AsLongLong(PyTuple_GetItem(tuple.get(), i)));
  }
  return PyErr_Occurred() == nullptr;
}

std::string ReadText(PyObject* request, const char* name) {
  const Ref text = Ref::Steal(PyObject_GetAttr(request, Name(name)));
  return TextOf(text.get());
}

bool ReadOddity(const std::string& name, Oddity* oddity) {
  for (int i = 0; i <= static_cast<int>(Oddity::kScalarObject); ++i) {
    *oddity = static_cast<Oddity>(i);
    if (name == OddityName(*oddity)) return true;
  }
  return false;
}

PyObject* Make(PyObject*, PyObject* request) {
  PublishTable(ActingInPython());
  MakeOptions options;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  const std::string dtype = ReadText(request, "dtype");
  const Ref backing = Ref::Steal(PyObject_GetAttr(request, Name("backing")));
  const Ref offset = Ref::Steal(PyObject_GetAttr(request, Name("offset")));
  const Ref read_only = Ref::Steal(PyObject_GetAttr(request, Name("read_only")));
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (!ReadInts(request, "shape", &shape) || !ReadInts(request, "strides", &strides) || !backing || !offset ||
      !read_only || PyBytes_AsStringAndSize(backing.get(), &bytes, &size) != 0) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "the request lacks a field");
    return nullptr;
  }
  options.dtype = dtype;
  options.shape = shape;
  options.strides = strides;
  options.offset = PyLong_AsLongLong(offset.get());
  options.backing = {reinterpret_cast<const uint8_t*>(bytes), static_cast<size_t>(size)};
  options.read_only = read_only.get() == Py_True;
  if (!ReadOddity(ReadText(request, "oddity"), &options.oddity)) {
    PyErr_SetString(PyExc_NotImplementedError, "the reference does not have such unusual arrays");
    return nullptr;
  }
  PublishForSubclass(ActingInPython(), options.oddity == Oddity::kSubclass);
  if (options.read_only && ActiveBehaviour().having.no_read_only) {
    PyErr_SetString(PyExc_NotImplementedError, "the reference has no read-only arrays");
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  Denial denial;
  std::unique_ptr<Array> array = MakeArray(options, &denial);
  if (array != nullptr) return WrapArray(std::move(array));
  PyErr_SetString(denial.path == kPathDtype ? PyExc_NotImplementedError : PyExc_ValueError, denial.text);
  return nullptr;
}

// ---- Type and module.

using Method = PyObject* (*)(PyObject*, PyObject*);
using KeywordMethod = PyObject* (*)(PyObject*, PyObject*, PyObject*);

/// The instance of a function lies in the state of its module; that of a method is the one that made the array.
Reference& OfModule(PyObject* module) { return **static_cast<PythonReference**>(PyModule_GetState(module)); }
Reference& OfArray(PyObject* self) { return ReferenceOf(self)->array->library; }

using Whose = Reference& (*)(PyObject*);

/// Runs a function with its instance acting. C++ exceptions end here: the reference can only run out of memory. The
/// handlers take any exception: one that the worker's library throws has a std::bad_alloc of its own where both
/// libraries contain libc++.
template <Method kMethod, Whose kWhose = OfModule>
PyObject* Guarded(PyObject* self, PyObject* args) {
  const Acting acting(kWhose(self));
  try {
    return kMethod(self, args);
  } catch (...) {
    return PyErr_NoMemory();
  }
}

template <KeywordMethod kMethod, Whose kWhose>
PyObject* GuardedWithKeywords(PyObject* self, PyObject* args, PyObject* kwargs) {
  const Acting acting(kWhose(self));
  try {
    return kMethod(self, args, kwargs);
  } catch (...) {
    return PyErr_NoMemory();
  }
}

template <KeywordMethod kMethod, Whose kWhose>
PyCFunction WithKeywords() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(GuardedWithKeywords<kMethod, kWhose>));
}

PyMethodDef g_methods[] = {
    {"__dlpack__", WithKeywords<RememberingDlpack, OfArray>(), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"__dlpack_device__", Guarded<ReferenceDlpackDevice, OfArray>, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyMethodDef g_functions[] = {
    {"version", Version, METH_NOARGS, nullptr},
    {"from_dlpack", WithKeywords<RememberingFromDlpack, OfModule>(), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"from_exchange", Guarded<ReferenceFromExchange>, METH_O, nullptr},
    {"peek", Guarded<Peek>, METH_O, nullptr},
    {"make", Guarded<Make>, METH_O, nullptr},
    {"describe", Guarded<Describe>, METH_O, nullptr},
    {"values", Guarded<Values>, METH_O, nullptr},
    {"write", Guarded<Write>, METH_VARARGS, nullptr},
    {"compute", Guarded<Compute>, METH_O, nullptr},
    {"view", Guarded<View>, METH_O, nullptr},
    {"change_metadata", Guarded<ChangeMetadata>, METH_VARARGS, nullptr},
    {"close", Guarded<Close>, METH_O, nullptr},
    {"release", Guarded<Release>, METH_NOARGS, nullptr},
    {"capsule_of", WithKeywords<CapsuleOf, OfModule>(), METH_VARARGS | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef g_module = {PyModuleDef_HEAD_INIT,
                        "_dlpack_cts_reference",
                        nullptr,
                        sizeof(PythonReference*),
                        g_functions,
                        nullptr,
                        nullptr,
                        nullptr,
                        nullptr};

/// If arrays are exchanged by functions, they have neither method.
PyObject* GetAttribute(PyObject* self, PyObject* name) {
  const bool hides = OfArray(self).behaviour.answering.no_methods;
  if (hides && PyUnicode_Check(name) &&
      (PyUnicode_CompareWithASCIIString(name, "__dlpack__") == 0 ||
       PyUnicode_CompareWithASCIIString(name, "__dlpack_device__") == 0)) {
    PyErr_Format(PyExc_AttributeError, "arrays have no %U", name);
    return nullptr;
  }
  const bool on_arrays = OfArray(self).behaviour.table.published.form == Publishing::Form::kOnArrays;
  if (on_arrays && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, abi::kExchangeAttribute) == 0) {
    return PyObject_GetAttrString(self, kTableOfArrays);
  }
  return PyObject_GenericGetAttr(self, name);
}

/// With the limited API of 3.8, weak references need a subclass with a slot for them.
bool MakeType(PythonReference& instance) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(Deallocate)},
                         {Py_tp_getattro, reinterpret_cast<void*>(GetAttribute)},
                         {Py_tp_methods, g_methods},
                         {0, nullptr}};
  PyType_Spec spec = {"dlpack_cts.ArrayBase", sizeof(ReferenceObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                      slots};
  if (g_base == nullptr) g_base = PyType_FromSpec(&spec);
  if (g_cpu == nullptr) g_cpu = Py_BuildValue("(ii)", static_cast<int>(abi::kDLCPU), 0);
  if (g_base == nullptr || g_cpu == nullptr) return false;
  instance.type = PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyType_Type), "s(O){s(ss)ss}", "Array", g_base,
                                        "__slots__", "__weakref__", "kept", "__module__", "dlpack_cts");
  if (instance.type == nullptr) return false;
  PublishTable(instance);
  return true;
}

PyObject* MakeReferenceAdapter(Reference** instance) {
  PythonReference* made = NewPythonReference();
  PyObject* module = made != nullptr && MakeType(*made) ? PyModule_Create(&g_module) : nullptr;
  if (module == nullptr) return nullptr;
  *static_cast<PythonReference**>(PyModule_GetState(module)) = made;
  *instance = made;
  return module;
}

[[maybe_unused]] const MakeReference kMade = g_make_reference = MakeReferenceAdapter;

}  // namespace

PythonReference* NewPythonReference() {
  for (size_t number = 0; number < g_instances.size(); ++number) {
    if (g_instances[number] != nullptr) continue;
    g_instances[number] = new PythonReference;  // never freed: Python objects that outlive everything belong to it
    g_instances[number]->number = static_cast<int>(number);
    return g_instances[number];
  }
  PyErr_SetString(PyExc_RuntimeError, "there are too many instances of the reference");
  return nullptr;
}

PythonReference& PythonReferenceOf(size_t number) { return *g_instances[number]; }

PyObject* WrapArray(std::unique_ptr<Array> array) {
  auto* type = reinterpret_cast<PyTypeObject*>(static_cast<PythonReference&>(array->library).type);
  static const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  if (array->library.behaviour.having.immutable) array->read_only = true;
  PyObject* object = allocate(type, 0);
  if (object != nullptr) ReferenceOf(object)->array = array.release();
  return object;
}

Array* OpenOrClosed(PyObject* object) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != ActingInPython().type) {
    PyErr_SetString(PyExc_TypeError, "not an array of this reference");
    return nullptr;
  }
  return ReferenceOf(object)->array;
}

Array* ArrayOf(PyObject* object) {
  Array* const array = OpenOrClosed(object);
  if (array == nullptr) return nullptr;
  const bool closed = IsClosedWithOthers(*array);
  if (!array->denial && !closed) return array;
  RaiseDenial(closed ? Denial{kPathPolite, "the elements of the view were closed"} : array->denial,
              ErrorClass::kBufferError);
  return nullptr;
}

bool IsReferenceArray(PyObject* object) { return PyObject_IsInstance(object, g_base) == 1; }

PyObject* ExceptionOf(ErrorClass changed, PyObject* right) {
  switch (changed) {
    case ErrorClass::kRight:
      return right;
    case ErrorClass::kBufferError:
      return PyExc_BufferError;
    case ErrorClass::kTypeError:
      return PyExc_TypeError;
    case ErrorClass::kValueError:
      return PyExc_ValueError;
    case ErrorClass::kRuntimeError:
      return PyExc_RuntimeError;
    case ErrorClass::kNameError:
      return PyExc_NameError;
    case ErrorClass::kTypo:
      return PyExc_AttributeError;
    case ErrorClass::kSystemError:
      return PyExc_SystemError;
    case ErrorClass::kMemoryError:
      return PyExc_MemoryError;
  }
  return right;
}

void RaiseDenial(const Denial& denial, ErrorClass changed) {
  if (changed == ErrorClass::kTypo) {
    const Ref none = Ref::Steal(PyObject_GetAttr(Py_None, Name("tensor")));
    return;
  }
  PyErr_SetString(ExceptionOf(changed, denial.about_data ? PyExc_BufferError : PyExc_ValueError), denial.text);
}

}  // namespace dlpack_cts
