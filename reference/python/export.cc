// reference/python/export.cc: __dlpack__ and __dlpack_device__ of the reference, and the capsules that it makes.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/shortage.h"
#include "bridge/object.h"
#include "reference/python/object.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

const Answering& Steps() { return ActiveBehaviour().answering; }

// ---- Keepers.

bool g_ends = false;  // the interpreter has begun to finalize; known only after WatchEnd() was called

/// Notes the finalization of the interpreter from now on, before its exit handlers run.
void WatchEnd() {
  static bool watches = false;
  if (watches) return;
  watches = true;
  static PyMethodDef note = {"note",
                             [](PyObject*, PyObject*) {
                               g_ends = true;
                               Py_RETURN_NONE;
                             },
                             METH_NOARGS, nullptr};
  const Ref threading = Ref::Steal(PyImport_ImportModule("threading"));
  const Ref function = Ref::Steal(PyCFunction_NewEx(&note, nullptr, nullptr));
  Ref::Steal(threading ? PyObject_CallMethod(threading.get(), "_register_atexit", "O", function.get()) : nullptr);
  PyErr_Clear();
}

/// Memory of PyMem_Malloc for deleters that free without the GIL. The blocks are larger than those of the interpreter's
/// own pools, so that a race in there does not corrupt other objects.
class Spares {
 public:
  void Add() {
    const std::lock_guard lock(mutex_);
    spares_.push_back(PyMem_Malloc(kBytes));
  }
  void Free() {
    void* spare = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (spares_.empty()) return;
      spare = spares_.back();
      spares_.pop_back();
    }
    PyMem_Free(spare);
  }

 private:
  static constexpr size_t kBytes = 1024;
  std::mutex mutex_;
  std::vector<void*> spares_;
};

Spares g_spares;

void ReleaseObject(void* object, Keeper::Locking locking) {
  if (Py_IsInitialized() == 0 && locking != Keeper::Locking::kTakesAfterTheEnd) return;
  if (locking == Keeper::Locking::kDiesAtExit && g_ends) std::abort();
  if (locking == Keeper::Locking::kFreesUnlocked) g_spares.Free();
  if (locking == Keeper::Locking::kAssumes) {
    Py_DECREF(static_cast<PyObject*>(object));
    return;
  }
  if (locking == Keeper::Locking::kQueues) {
    const auto drop = [](void* dropped) {
      Py_DECREF(static_cast<PyObject*>(dropped));
      return 0;
    };
    if (Py_AddPendingCall(drop, object) == 0) return;  // the queue is full at times
  }
  if (locking == Keeper::Locking::kTakesOnOtherThread) {
    NeedThread([object] { ReleaseObject(object, Keeper::Locking::kTakes); }).join();
    return;
  }
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(static_cast<PyObject*>(object));
  PyGILState_Release(state);
}

void RaiseBehindDeleter() {
  if (Py_IsInitialized() == 0) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  PyErr_SetString(PyExc_RuntimeError, "the deleter could not do what it wanted");
  PyGILState_Release(state);
}

// ---- Arguments.

/// The arguments of one call of __dlpack__. Borrowed references; NULL if missing.
struct Arguments {
  PyObject* max_version = nullptr;
  PyObject* dl_device = nullptr;
  PyObject* copy = nullptr;
  PyObject* stream = nullptr;
};

bool ReadArguments(PyObject* self, PyObject* args, PyObject* kwargs, Arguments* out) {
  const Answering& steps = Steps();
  const Py_ssize_t positional = PyTuple_Size(args);
  if (positional > (steps.positional ? 1 : 0)) {
    PyErr_SetString(PyExc_TypeError, "__dlpack__() takes keyword arguments only");
    return false;
  }
  if (positional == 1) out->max_version = PyTuple_GetItem(args, 0);
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  int before = 0;  // keywords
  for (; kwargs != nullptr && PyDict_Next(kwargs, &position, &key, &value); ++before) {
    const auto is = [&](const char* name) {
      if (steps.compares_addresses) return key == Name(name);
      return PyUnicode_CompareWithASCIIString(key, name) == 0;
    };
    if (is("max_version") && !steps.only_stream) {
      if (steps.overlooks_copies_of_names && key != Name("max_version")) continue;
      if (steps.version_comes_first && before > 0) continue;
      out->max_version = value;
    } else if (is("dl_device") && !steps.only_stream) {
      out->dl_device = value;
    } else if (is("copy") && !steps.only_stream) {
      if (steps.overlooks_first_copy && before == 0 && PyDict_Size(kwargs) > 2) continue;
      out->copy = value;
    } else if (is("stream") && !steps.no_stream) {
      out->stream = value;
    } else if (!Holds(steps.swallows_keywords, OccasionOf(*ReferenceOf(self)->array, true, -1))) {
      PyErr_Format(ExceptionOf(steps.unknown_keyword, PyExc_TypeError), "__dlpack__() has no keyword %U", key);
      return false;
    }
  }
  return true;
}

/// Reads an int, clipped to 64 bits, because a version may be huge. False with an exception set.
bool ReadInt(PyObject* object, int64_t* out) {
  const Ref number = Ref::Steal(PyNumber_Index(object));
  if (!number) return false;
  int overflow = 0;
  *out = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow != 0) *out = overflow > 0 ? INT64_MAX : INT64_MIN;
  return true;
}

bool ReadPair(PyObject* object, const char* what, int64_t* first, int64_t* second) {
  const bool pair = PyTuple_Check(object) && PyTuple_Size(object) == 2;
  // bool is a subclass of int, but a version is not a pair of bools.
  if (!pair || PyBool_Check(PyTuple_GetItem(object, 0)) || PyBool_Check(PyTuple_GetItem(object, 1))) {
    PyErr_Format(PyExc_TypeError, "%s has to be a tuple of two integers", what);
    return false;
  }
  return ReadInt(PyTuple_GetItem(object, 0), first) && ReadInt(PyTuple_GetItem(object, 1), second);
}

bool IsAbsent(PyObject* object) { return object == nullptr || object == Py_None; }

/// Answers an argument whose objects are of other classes as a changed producer does. Sets `object` to NULL if it is
/// ignored. False with an exception set.
bool AnswersClass(const ClassAnswer& answer, PyObject** object) {
  if (answer == ClassAnswer{} || IsAbsent(*object)) return true;
  const uint32_t classes = IntegerClassesOf(*object);
  if ((answer.ignores & classes) != 0) *object = nullptr;
  if ((answer.refuses & classes) == 0) return true;
  PyErr_SetString(PyExc_TypeError, "an argument has to consist of ints");
  return false;
}

/// Reads max_version. Changed producers also accept lists, longer tuples and floats.
bool ReadVersion(PyObject* object, int64_t* major, int64_t* minor) {
  if (!Steps().odd_version_accepted) return ReadPair(object, "max_version", major, minor);
  *major = 1;
  *minor = 0;
  const Ref first = Ref::Steal(PySequence_GetItem(object, 0));
  if (first && PyNumber_Check(first.get())) ReadInt(first.get(), major);
  PyErr_Clear();
  return true;
}

uint32_t AskedMajor(int64_t major, int64_t minor, abi::DLPackVersion own) {
  if (major != own.major) return major < own.major ? kAskedOldMajor : kAskedLaterMajor;
  return minor < own.minor ? kAskedOldMinor : kAskedNewest;
}

uint32_t AskedFor(const Arguments& arguments) {
  uint32_t asked = kAskedNothing;
  if (arguments.copy == Py_True) asked |= kAskedCopyTrue;
  if (arguments.copy == Py_False) asked |= kAskedCopyFalse;
  if (arguments.copy == Py_None) asked |= kAskedCopyNone;
  if (arguments.dl_device == Py_None) asked |= kAskedDeviceNone;
  return IsAbsent(arguments.dl_device) ? asked : asked | kAskedDevice;
}

/// Chooses the kind of struct and the version that it declares. False with an exception set.
bool Negotiate(PyObject* self, PyObject* max_version, ExportOptions* options) {
  const Answering& steps = Steps();
  options->version = ActiveBehaviour().exporting.version;
  options->versioned =
      steps.none_is_versioned || steps.ignores_max_version || (steps.spelt_none_is_versioned && max_version == Py_None);
  options->asked |= kAskedNoVersion;
  PyObject* const refusal = ExceptionOf(steps.version_error, PyExc_BufferError);
  const uint32_t misread = steps.version_class.misreads;
  if (!AnswersClass(steps.version_class, &max_version)) return false;
  if (misread != 0 && !IsAbsent(max_version) && (misread & IntegerClassesOf(max_version)) != 0) {
    options->versioned = true;
    return true;
  }
  int64_t major = 0;
  int64_t minor = 0;
  if (!IsAbsent(max_version)) {
    const bool odd = !PyTuple_Check(max_version) || PyTuple_Size(max_version) != 2;
    if (odd && steps.odd_version_crashes) Act(Manner::kCrashes);
    const bool true_pair = !odd && PyBool_Check(PyTuple_GetItem(max_version, 0));
    if (true_pair && steps.true_version_crashes) Act(Manner::kCrashes);
    if (odd && steps.odd_version_leaks) Py_INCREF(self);
    if (!ReadVersion(max_version, &major, &minor)) return false;
    options->asked ^= kAskedNoVersion | AskedMajor(major, minor, options->version);
    if (steps.adds_minor_to_major) major += minor / 10;
    const bool later = major > options->version.major;
    if (later && steps.later_version_crashes) Act(Manner::kCrashes);
    if (later && steps.refuses_later_majors) {
      PyErr_SetString(refusal, "this major version of DLPack is unknown");
      return false;
    }
    const int64_t decisive = steps.reads_minor_as_major ? minor : major;
    const bool whole = major > options->version.major || minor >= options->version.minor;
    options->versioned =
        options->versioned || (decisive >= options->version.major && !(steps.compares_whole_version && !whole) &&
                               !(later && steps.legacy_for_later_majors));
    if (steps.exact_version_only && (major != options->version.major || minor != options->version.minor)) {
      PyErr_SetString(refusal, "this version is not supported");
      return false;
    }
    if (steps.caps_minor && major == options->version.major && minor >= 0 && minor < options->version.minor) {
      options->version.minor = static_cast<uint32_t>(minor);
    }
    const bool later_minor = major == options->version.major && minor > options->version.minor;
    if (steps.echoes_later_minor && later_minor) options->version.minor = static_cast<uint32_t>(minor);
    if (steps.echoes_major) options->version.major = static_cast<uint32_t>(major);
    if (steps.echoes_version) options->version = {static_cast<uint32_t>(major), static_cast<uint32_t>(minor)};
    if (steps.refuses_older_major && !options->versioned) {
      PyErr_SetString(refusal, "this major version is not supported");
      return false;
    }
  }
  if (steps.legacy_only) options->versioned = false;
  if (steps.versioned_only && !options->versioned) {
    PyErr_SetString(PyExc_BufferError, "legacy capsules are not made");
    return false;
  }
  return true;
}

/// The DeviceAsked bits of a call; 0 if dl_device is missing.
uint32_t DeviceAskedBy(PyObject* dl_device, PyObject* copy) {
  if (dl_device == nullptr) return 0;
  const Argument argument = ArgumentOf(dl_device);
  switch (argument.kind) {
    case ArgumentKind::kNone:
      return kDeviceNone;
    case ArgumentKind::kPair:
      if (argument.a != abi::kDLCPU) return copy == Py_False ? kDeviceUnshared : kDeviceElsewhere;
      return argument.b == 0 ? kDeviceHere : kDeviceOtherId;
    case ArgumentKind::kList:
      return kDeviceList;
    case ArgumentKind::kOneTuple:
      return kDeviceOneTuple;
    case ArgumentKind::kFloats:
      return kDeviceFloats;
    case ArgumentKind::kBools:
      return kDeviceBools;
    default:
      return kDeviceOther;
  }
}

/// `asked` is 0 if the changed answers do not apply to this exchange.
bool ReadDevice(PyObject* self, PyObject* dl_device, uint32_t asked) {
  constexpr char kElsewhere[] = "the array lives on another device";
  const abi::DLDevice own = ReferenceOf(self)->array->device;
  const DeviceAnswer& answer = Steps().dl_device;
  if ((answer.crashes & asked) != 0) Act(Manner::kCrashes);
  if ((answer.leaks & asked) != 0) Py_INCREF(self);
  if ((answer.errs & asked) != 0) {
    PyErr_SetString(ExceptionOf(answer.error, PyExc_BufferError), kElsewhere);
    return false;
  }
  const bool refuses = (answer.refuses & asked) != 0;
  if (!refuses && (IsAbsent(dl_device) || (answer.ignores & asked) != 0)) return true;
  int64_t type = 0;
  int64_t id = 0;
  if (!IsAbsent(dl_device) && !ReadPair(dl_device, "dl_device", &type, &id)) return false;
  const bool at_home = Acting::Now().IsAtHome({static_cast<int32_t>(type), static_cast<int32_t>(id)});
  if (((type == own.device_type && id == own.device_id) || at_home) && !refuses) return true;
  PyErr_SetString(PyExc_BufferError, kElsewhere);
  return false;
}

bool ReadCopy(PyObject* copy, int* out) {
  if (IsAbsent(copy) || Steps().ignores_copy) return true;
  if (copy != Py_True && copy != Py_False) {
    PyErr_SetString(PyExc_TypeError, "copy has to be True, False or None");
    return false;
  }
  *out = copy == Py_True ? 1 : 0;
  return true;
}

uint32_t StreamAskedBy(PyObject* stream, int64_t* handle) {
  if (!PyLong_Check(stream) || !ReadInt(stream, handle)) return kStreamNoInt;
  if (*handle < -1) return kStreamBelow;
  if (*handle > 2) return kStreamHandle;
  constexpr uint32_t kSmall[] = {kStreamMinusOne, kStreamZero, kStreamDefault, kStreamDefault};
  return kSmall[*handle + 1];
}

bool ReadStream(PyObject* self, PyObject* stream, const Occasion& occasion) {
  if (IsAbsent(stream)) return true;
  const StreamAnswer& answer = Steps().stream;
  Array& array = *ReferenceOf(self)->array;
  int64_t handle = 0;
  const uint32_t given = StreamAskedBy(stream, &handle);
  const uint32_t asked = Holds(answer.only, occasion) ? given : 0;
  if ((answer.touches & asked) != 0) TouchStream(handle);
  if ((answer.touches_late & asked) != 0) ReferenceOf(self)->kept_stream = handle;
  if ((answer.leaks & asked) != 0) Py_INCREF(self);
  if ((answer.locks & asked) != 0) array.locked = true;
  const bool with_device = (occasion.asked & kAskedDevice) != 0;
  if ((answer.spoils & asked) != 0 && with_device && array.Count() > 0) *array.first ^= 1;
  if ((answer.ignores & asked) != 0) return true;
  PyErr_SetString(PyExc_ValueError, "the reference does not support streams");
  return false;
}

// ---- Capsules.

const char* UnusedName(bool versioned) { return versioned ? abi::kVersionedName : abi::kLegacyName; }

bool IsName(const char* name, const char* wanted) { return name != nullptr && std::strcmp(name, wanted) == 0; }

/// A destructor gets only the capsule, and anything may change its context. So each instance has its own copy of the
/// function.
template <size_t kNumber>
void DestroyCapsule(PyObject* capsule) {
  const Acting acting(PythonReferenceOf(kNumber));
  const CapsuleSteps& steps = ActiveBehaviour().capsule;
  const char* name = PyCapsule_GetName(capsule);
  const bool versioned = name != nullptr && std::strstr(name, "versioned") != nullptr;
  const Occasion occasion{.versioned = versioned};
  const bool unused = IsName(name, UnusedName(versioned));
  const bool inverted = Holds(steps.destructor_inverted, occasion);
  const bool releases = Holds(steps.destructor_ignores_name, occasion) || unused != inverted;
  if (releases && !Holds(steps.empty_destructor, occasion)) {
    const ExceptionHeldBack held;
    void* managed = PyCapsule_GetPointer(capsule, name);
    if (Holds(steps.defers_release, occasion)) {
      ReleaseWhen(Release::kCollect, versioned, managed);
    } else {
      CallDeleter(managed, versioned);
    }
  }
  if (Holds(steps.destructor_clears_error, occasion)) PyErr_Clear();
  if (!unused && Holds(steps.used_clears_error, occasion)) PyErr_Clear();
}

template <size_t... kNumbers>
PyCapsule_Destructor DestructorOf(int number, std::index_sequence<kNumbers...>) {
  constexpr PyCapsule_Destructor kDestructors[] = {DestroyCapsule<kNumbers>...};
  return kDestructors[number];
}

/// The name of a new capsule. A freed name is overwritten first, so that reads of it show.
const char* CapsuleNameOf(bool versioned, const Occasion& occasion) {
  const CapsuleSteps& steps = ActiveBehaviour().capsule;
  const char* right = UnusedName(versioned);
  if (!Holds(steps.styled, occasion)) return right;
  static char rewritten[32];
  switch (steps.style) {
    case NameStyle::kRight:
      return right;
    case NameStyle::kSwapped:
      return UnusedName(!versioned);
    case NameStyle::kTrailingSpace:
      return versioned ? "dltensor_versioned " : "dltensor ";
    case NameStyle::kUsed:
      return versioned ? abi::kUsedVersionedName : abi::kUsedLegacyName;
    case NameStyle::kNull:
      return nullptr;
    case NameStyle::kHeap:
      return strdup(right);
    case NameStyle::kFreed:
      std::strcpy(rewritten, right);
      return rewritten;
  }
  return right;
}

/// Lets other threads run.
void MeetOthers(Meeting& meeting) {
  PyThreadState* const state = PyEval_SaveThread();
  meeting.Enter();
  PyEval_RestoreThread(state);
}

}  // namespace

void TouchStream(int64_t handle) {
  if (handle != 0) static_cast<void>(*reinterpret_cast<volatile char*>(handle));
}

uint32_t IntegerClassesOf(PyObject* object) {
  const bool tuple = PyTuple_Check(object) != 0;
  const uint32_t around = tuple && !PyTuple_CheckExact(object) ? uint32_t{kOfSubclass} : 0;
  PyObject* const first = !tuple ? object : PyTuple_Size(object) > 0 ? PyTuple_GetItem(object, 0) : nullptr;
  if (first == nullptr || PyLong_CheckExact(first) || PyBool_Check(first)) return around;
  if (PyLong_Check(first)) {
    // Only the class of an enumerator has a metaclass.
    const bool plain = Py_TYPE(reinterpret_cast<PyObject*>(Py_TYPE(first))) == &PyType_Type;
    return around | (plain ? kOfSubclass : kOfEnum);
  }
  return around | (PyIndex_Check(first) ? uint32_t{kOfIndex} : 0);
}

Keeper KeepObject(PyObject* object) {
  Py_INCREF(object);
  return Keeper{object, ReleaseObject, RaiseBehindDeleter};
}

PyObject* ReferenceDlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  const Behaviour& behaviour = ActiveBehaviour();
  ++Acting::Now().exchanges;
  Arguments arguments;
  ExportOptions options;
  if (!ReadArguments(self, args, kwargs, &arguments) || !Negotiate(self, arguments.max_version, &options))
    return nullptr;
  if (ArrayOf(self) == nullptr) return nullptr;
  Array& array = *ReferenceOf(self)->array;
  const DeviceAnswer& answer = behaviour.answering.dl_device;
  options.asked |= AskedFor(arguments);
  Occasion call = OccasionOf(array, options.versioned, options.copy);
  call.asked = options.asked;
  const uint32_t asked = Holds(answer.only, call) ? DeviceAskedBy(arguments.dl_device, arguments.copy) : 0;
  if (!AnswersClass(behaviour.answering.device_class, &arguments.dl_device) ||
      !AnswersClass(behaviour.answering.stream_class, &arguments.stream) ||
      !ReadDevice(self, arguments.dl_device, asked) || !ReadCopy(arguments.copy, &options.copy) ||
      !ReadStream(self, arguments.stream, call)) {
    return nullptr;
  }
  options.device = array.device;
  if ((answer.copies & asked) != 0) options.copy = 1;
  if ((answer.labels & asked) != 0) options.device = answer.label;
  if (arguments.copy == Py_None && Holds(Steps().none_copies, OccasionOf(array, options.versioned, -1))) {
    options.copy = 1;
  }
  Occasion occasion = OccasionOf(array, options.versioned, options.copy);
  occasion.asked = options.asked;
  if (Holds(Steps().turns_kind, occasion)) occasion.versioned = options.versioned = !options.versioned;
  PyObject*& stored = ReferenceOf(self)->stored_capsule;
  if (stored != nullptr && Holds(behaviour.capsule.same_capsule, occasion)) {
    Py_INCREF(stored);
    return stored;
  }
  options.keeper = KeepObject(self);
  Denial denial;
  if (Holds(behaviour.exporting.deleter_dies_at_exit, occasion)) WatchEnd();
  const bool rests = Holds(behaviour.exporting.shares_beside_threads, occasion);
  if (rests) MeetOthers(Acting::Now().exporting);
  void* managed = ExportManaged(array, options, &denial);
  if (rests) Acting::Now().exporting.Leave();
  if (managed == nullptr) {
    const bool about_copy = options.copy != -1 && behaviour.exporting.copy_error != ErrorClass::kRight;
    RaiseDenial(denial, about_copy ? behaviour.exporting.copy_error : behaviour.exporting.error);
    return nullptr;
  }
  if (!occasion.copy && Holds(behaviour.exporting.deleter_frees_unlocked, occasion)) g_spares.Add();
  if (Holds(behaviour.capsule.returns_other, occasion)) {
    CallDeleter(managed, options.versioned);
    return PyBytes_FromString("dltensor");
  }
  const char* name = CapsuleNameOf(options.versioned, occasion);
  const bool destroys = !Holds(behaviour.capsule.no_destructor, occasion);
  const auto destructor = DestructorOf(ActingInPython().number, std::make_index_sequence<size_t{kPythonReferences}>());
  PyObject* capsule = PyCapsule_New(managed, name, destroys ? destructor : nullptr);
  if (capsule == nullptr) {
    CallDeleter(managed, options.versioned);
    return nullptr;
  }
  if (Holds(behaviour.capsule.styled, occasion) && behaviour.capsule.style == NameStyle::kFreed) {
    std::memset(const_cast<char*>(name), 'x', std::strlen(name));
  }
  if (Holds(behaviour.capsule.same_capsule, occasion)) {
    Py_INCREF(capsule);
    stored = capsule;
  }
  return capsule;
}

PyObject* ReferenceDlpackDevice(PyObject* self, PyObject*) {
  const Answering& steps = Steps();
  if (ArrayOf(self) == nullptr) return nullptr;
  Array& array = *ReferenceOf(self)->array;
  const Occasion occasion = OccasionOf(array, true, -1);
  if (Holds(steps.device_raises, occasion)) {
    PyErr_SetString(ExceptionOf(steps.device_error, PyExc_RuntimeError), "the device is unknown");
    return nullptr;
  }
  if (steps.device_leaks) Py_INCREF(self);
  if (steps.device_mutates && array.Count() > 0) *array.first ^= 1;
  const bool on_cpu = array.device.device_type == abi::kDLCPU;
  const abi::DLDevice device = on_cpu && Holds(steps.answers_device, occasion) ? steps.device : array.device;
  const bool moves = Holds(steps.device_moves, occasion);
  const int type = moves ? static_cast<int>(abi::kDLCUDA) : device.device_type;
  const int id = device.device_id;
  if (steps.device_is_enum && on_cpu) {
    const Ref enumerator = CpuEnumerator();
    return enumerator ? Py_BuildValue("(Oi)", enumerator.get(), id) : nullptr;
  }
  if (steps.device_is_list) return Py_BuildValue("[ii]", type, id);
  if (steps.device_is_triple) return Py_BuildValue("(iii)", type, id, 0);
  if (steps.device_type_is_text) return Py_BuildValue("(si)", "cpu", id);
  return Py_BuildValue("(ii)", type, id);
}

}  // namespace dlpack_cts
