// reference/python/import.cc: from_dlpack of the reference: reads its arguments and calls the producer.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/enum_words.h"
#include "bridge/object.h"
#include "harness/recipe/dtypes.h"
#include "reference/python/object.h"

namespace dlpack_cts {
namespace {

const Asking& Steps() { return ActiveBehaviour().asking; }

/// In the order of Wish, as Python writes them in a call.
constexpr EnumWords<Wish> kWishes{
    "newest", "None",  "(0, 8)", "[1, 3]",  "(1,)",     "(1.0, 3.0)", "(True, True)",
    "(2, 0)", "'1.3'", "(3, 1)", "(1, 99)", "(100, 3)", "(1, -1)",
};

/// The value of max_version that the consumer passes; NULL if it passes none.
PyObject* Wished() {
  static PyObject* const newest =
      Py_BuildValue("(ii)", static_cast<int>(kReferenceVersion.major), static_cast<int>(kReferenceVersion.minor));
  const Wish wish = Steps().max_version;
  if (wish == Wish::kNone) return nullptr;
  if (wish == Wish::kNewest) return Ref::Borrow(newest).release();
  const Ref literals = Ref::Steal(PyImport_ImportModule("ast"));
  return literals ? PyObject_CallMethod(literals.get(), "literal_eval", "s", kWishes[wish].data()) : nullptr;
}

struct Wishes {
  PyObject* copy = nullptr;    // borrowed; NULL if it is missing
  PyObject* device = nullptr;  // borrowed
  bool of_cuda = false;        // __dlpack_device__ reports CUDA
  bool of_rocm = false;
  bool misread_device = false;
};

/// Whether `moment` applies to the first call, or to the second one (`again`).
bool IsAt(Moment moment, const Wishes& wishes, bool again) {
  switch (moment) {
    case Moment::kAlways:
      return true;
    case Moment::kWithDevice:
      return wishes.device != nullptr;
    case Moment::kWithCopy:
      return wishes.copy != nullptr;
    case Moment::kOnRetry:
      return again;
    case Moment::kForCuda:
      return wishes.of_cuda && wishes.device == nullptr;
    case Moment::kForRocm:
      return wishes.of_rocm && wishes.device == nullptr;
    case Moment::kForCudaToHost:
      return wishes.of_cuda && wishes.device != nullptr;
  }
  return false;
}

/// The value of dl_device that the consumer passes; empty if it passes none.
Ref DeviceOf(const Wishes& wishes) {
  const Asking& steps = Steps();
  if (wishes.device == nullptr || steps.keeps_device) return Ref();
  const bool changed = steps.dl_device.kind != ArgumentKind::kAbsent && IsAt(steps.dl_device_at, wishes, false);
  if (changed) return MakeArgument(steps.dl_device);
  if (!steps.device_is_enum) return Ref::Borrow(wishes.device);
  const Ref cpu = CpuEnumerator();
  return Ref::Steal(cpu ? Py_BuildValue("(Oi)", cpu.get(), 0) : nullptr);
}

/// The value of stream that the consumer passes in that call; empty if it passes none.
Ref StreamOf(const Wishes& wishes, bool again) {
  const Asking& steps = Steps();
  // stream=None means the same as a missing stream, which no producer refuses. So a second call leaves it out.
  if (again && (steps.retry_forgets_stream || steps.stream.kind == ArgumentKind::kNone)) return Ref();
  return IsAt(steps.stream_at, wishes, again) ? MakeArgument(steps.stream) : Ref();
}

void SetKeyword(PyObject* keywords, const char* name, PyObject* value) {
  if (value != nullptr) PyDict_SetItem(keywords, Name(name), value);
}

/// Replaces the pending exception by one of a subclass, chained to it.
void Chain() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  if (type == nullptr) return;
  PyErr_NormalizeException(&type, &value, &trace);
  const Ref below = Ref::Steal(PyErr_NewException("dlpack_cts.ProducerFailed", type, nullptr));
  const Ref raised = Ref::Steal(below ? PyObject_CallFunction(below.get(), "s", "the producer failed") : nullptr);
  if (raised) {
    PyException_SetCause(raised.get(), value);  // steals it
    PyErr_SetObject(below.get(), raised.get());
    Py_DECREF(type);
    Py_XDECREF(trace);
  } else {
    PyErr_Restore(type, value, trace);
  }
}

/// Leaves the producer's exception pending, or replaces it as a changed consumer does.
void PassOn(ErrorClass changed) {
  if (Steps().chains_errors) return Chain();
  const bool missing = PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_AttributeError) != 0;
  if (missing) changed = Steps().missing_error;
  if (changed == ErrorClass::kRight || PyErr_Occurred() == nullptr) return;
  PyErr_Clear();
  PyErr_SetString(ExceptionOf(changed, nullptr), "the producer failed");
}

/// What a changed consumer remembers of a producer's class; -1 for nothing yet. NULL if it remembers nothing of it.
int* MemoryOf(ClassMemory by, PyObject* object, ClassKnowledge what) {
  if (by == ClassMemory::kNothing || PyObject_HasAttr(object, Name("__dict__")) == 0) return nullptr;
  auto& known = ActingInPython().known_classes;
  PyObject* const type = by == ClassMemory::kClass ? reinterpret_cast<PyObject*>(Py_TYPE(object)) : nullptr;
  std::string name;
  if (by == ClassMemory::kName) {
    const Ref own = Ref::Steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__qualname__"));
    PyErr_Clear();
    name = own ? TextOf(own.get()) : "";
  }
  const auto [place, is_new] = known.try_emplace({what, type, name}, -1);
  if (is_new) Py_XINCREF(type);  // so that no other class gets its address
  return &place->second;
}

Ref MethodOf(PyObject* object) {
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  return Ref::Steal(PyObject_GetAttr(Steps().methods_of_types ? type : object, Name("__dlpack__")));
}

/// Calls __dlpack__ of the object. If the producer does not know the keywords, calls it again with stream alone, then
/// without any keyword. Sets `fell_back` if the consumer has to handle copy and device by itself.
Ref AskProducer(PyObject* object, const Wishes& wishes, bool* fell_back) {
  const Asking& steps = Steps();
  if (steps.needs_info) {
    const Ref info = Ref::Steal(PyObject_CallMethodObjArgs(object, Name("__dlpack_info__"), nullptr));
    if (!info) return Ref();
  }
  const Ref method = MethodOf(object);
  if (!method) return Ref();
  const Ref self = Ref::Steal(steps.methods_of_types ? PyTuple_Pack(1, object) : PyTuple_New(0));
  const Ref max_version = Ref::Steal(Wished());
  const Ref keywords = Ref::Steal(PyDict_New());
  const Ref positional = Ref::Steal(steps.positional ? PyTuple_Pack(1, max_version.get()) : nullptr);
  if (!steps.positional) SetKeyword(keywords.get(), "max_version", max_version.get());
  SetKeyword(keywords.get(), "dl_device", DeviceOf(wishes).get());
  const bool forgets_copy = steps.keeps_copy || (steps.forgets_copy_for_device && wishes.device != nullptr);
  if (!forgets_copy) SetKeyword(keywords.get(), "copy", wishes.copy);
  SetKeyword(keywords.get(), "stream", StreamOf(wishes, false).get());
  if (steps.passes_version_keyword) SetKeyword(keywords.get(), "version", max_version.get());
  const auto ask = [&] {
    return Ref::Steal(PyObject_Call(method.get(), positional ? positional.get() : self.get(), keywords.get()));
  };
  if (steps.calls_twice) ask();
  if (steps.asks_plainly_first) {
    PyDict_DelItem(keywords.get(), Name("max_version"));
    if (Ref capsule = ask()) return capsule;
    PyErr_Clear();
    SetKeyword(keywords.get(), "max_version", max_version.get());
  }
  int* const known = MemoryOf(steps.knows_version, object, ClassKnowledge::kVersion);
  const bool unasked = known != nullptr && *known == 0;
  if (unasked) PyErr_SetString(PyExc_TypeError, "__dlpack__() of this class has no keyword max_version");
  Ref capsule = unasked ? Ref() : ask();
  const bool taken = known != nullptr && *known == 1;
  if (known != nullptr && *known < 0) *known = capsule || PyErr_ExceptionMatches(PyExc_TypeError) == 0 ? 1 : 0;
  const bool without_device = steps.retry_believes_devices || steps.retries_without_device;
  const bool unshared = wishes.copy == Py_False;
  const bool asks_again =
      !capsule && !steps.no_retry && !taken &&
      (PyErr_ExceptionMatches(PyExc_TypeError) != 0 || (unshared ? steps.retries_unshared : steps.retries_any) ||
       (without_device && wishes.device != nullptr && PyErr_ExceptionMatches(PyExc_BufferError) != 0));
  if (!asks_again) return capsule;
  PyObject* first[3];
  PyErr_Fetch(&first[0], &first[1], &first[2]);
  const Ref kept[3] = {Ref::Steal(first[0]), Ref::Steal(first[1]), Ref::Steal(first[2])};
  if (steps.retries_by_steps) {
    PyDict_DelItem(keywords.get(), Name("max_version"));
    capsule = ask();
    if (capsule || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return capsule;
    PyErr_Clear();
  }
  *fell_back = true;
  PyDict_Clear(keywords.get());
  if (steps.retry_keeps_version) SetKeyword(keywords.get(), "max_version", max_version.get());
  const Ref stream = StreamOf(wishes, true);
  SetKeyword(keywords.get(), "stream", stream.get());
  capsule = Ref::Steal(PyObject_Call(method.get(), self.get(), keywords.get()));
  if (capsule && steps.raises_first_error) {
    for (PyObject* const part : first) Py_XINCREF(part);
    PyErr_Restore(first[0], first[1], first[2]);
    return Ref();
  }
  if (capsule || !stream || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return capsule;
  PyErr_Clear();
  return Ref::Steal(PyObject_CallObject(method.get(), self.get()));
}

bool ReadArguments(PyObject* args, PyObject* kwargs, PyObject** object, Wishes* wishes, ImportOptions* options) {
  const Asking& steps = Steps();
  if (PyTuple_Size(args) != 1) {
    PyErr_SetString(PyExc_TypeError, "from_dlpack() takes one object");
    return false;
  }
  *object = PyTuple_GetItem(args, 0);
  if (kwargs == nullptr) return true;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(kwargs, &position, &key, &value)) {
    const auto is = [key](const char* name) { return PyUnicode_CompareWithASCIIString(key, name) == 0; };
    if (is("copy") && !steps.no_keywords) {
      if (value == Py_None) options->arrival |= kByNone;
      if (value == Py_None && !steps.refuses_none_for_copy) continue;
      if (value != Py_True && value != Py_False) {
        PyErr_SetString(PyExc_TypeError, "copy has to be True, False or None");
        return false;
      }
      wishes->copy = value;
      options->copy = value == Py_True ? 1 : 0;
    } else if (is("device") && !steps.no_keywords) {
      if (value == Py_None) options->arrival |= kByNone;
      if (value == Py_None && !steps.refuses_none) continue;
      if (!PyTuple_Check(value) ||
          !PyArg_ParseTuple(value, "ii", &options->device.device_type, &options->device.device_id)) {
        if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "device has to be a tuple of two integers");
        return false;
      }
      wishes->device = value;
      options->has_device = true;
      options->arrival |= kByDevice;
    } else if (is("dtype") && steps.typed) {
      const int index = DataTypeIndex(TextOf(value));
      if (index >= 0) options->dtype = DataTypes()[static_cast<size_t>(index)].dtype;
      options->typed = index >= 0;
    } else if (is("ndim") && steps.typed) {
      options->ndim = static_cast<int32_t>(PyLong_AsLong(value));
      if (PyErr_Occurred() != nullptr) return false;
    } else {
      PyErr_Format(PyExc_TypeError, "from_dlpack() has no keyword %U", key);
      return false;
    }
  }
  return true;
}

/// A consumer that needs the device for a decision calls __dlpack_device__ first. This one only checks that it is
/// supported.
bool AskDevice(PyObject* object, Wishes* wishes) {
  const Ref device = Ref::Steal(PyObject_CallMethodObjArgs(object, Name("__dlpack_device__"), nullptr));
  if (!device) PassOn(Steps().device_error);
  if (!device) return false;
  bool pair = PyTuple_Check(device.get()) && PyTuple_Size(device.get()) == 2;
  if (Steps().exact_tuple) pair = pair && PyTuple_CheckExact(device.get());
  if (pair && Steps().exact_integers) pair = PyLong_CheckExact(PyTuple_GetItem(device.get(), 0));
  const uint32_t classes = pair ? IntegerClassesOf(device.get()) : 0;
  if ((classes & kOfIndex) != 0 && Steps().ints_only) pair = false;
  if ((classes & kOfIndex) != 0) wishes->misread_device = Steps().empty_for_index;
  if (!pair && Steps().odd_device_crashes) Act(Manner::kCrashes);
  if (!pair) PyErr_SetString(PyExc_TypeError, "__dlpack_device__() did not return a tuple of two integers");
  int type = 0;
  int id = 0;
  if (!pair || !PyArg_ParseTuple(device.get(), "ii", &type, &id)) return false;
  if (int* const known = MemoryOf(Steps().knows_device, object, ClassKnowledge::kDevice)) {
    if (*known < 0) *known = type;
    type = *known;
  }
  wishes->of_cuda = type == abi::kDLCUDA;
  wishes->of_rocm = type == abi::kDLROCM;
  const bool decides = Steps().trusts_reported_device || Steps().knows_device != ClassMemory::kNothing;
  if (type == abi::kDLCPU || !decides) return true;
  PyErr_SetString(PyExc_BufferError, "only tensors on the CPU are supported");
  return false;
}

/// Whether the class of the object pleases a changed consumer. False with an exception set.
bool IsOfUsualClass(PyObject* object) {
  const Asking& steps = Steps();
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  bool usual = !steps.refuses_classes || !PyType_Check(object);
  if (usual && steps.own_methods_only && !IsReferenceArray(object)) {
    const Ref members = Ref::Steal(PyObject_GetAttrString(type, "__dict__"));
    usual = members && PySequence_Contains(members.get(), Name("__dlpack__")) == 1;
  }
  if (usual && steps.needs_module) {
    const Ref module = Ref::Steal(PyObject_GetAttrString(type, "__module__"));
    usual = module && PyUnicode_Check(module.get());
  }
  if (!usual && PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "not an array");
  return usual;
}

/// Looks up attributes that the import does not need. False with an exception set, which may be pending after true.
bool Probes(PyObject* object) {
  const Probing probing = Steps().probes;
  if (probing == Probing::kNone) return true;
  const Ref shape = Ref::Steal(PyObject_GetAttrString(object, "shape"));
  if (!shape && PyErr_ExceptionMatches(PyExc_AttributeError) != 0) PyErr_Clear();
  if (PyErr_Occurred() == nullptr || probing == Probing::kStaysPending) return true;
  if (probing == Probing::kRaisesAnother) PyErr_SetString(PyExc_SystemError, "the object is broken");
  return false;
}

PyObject* Empty() {
  auto array = std::make_unique<Array>();
  array->ndim = 1;
  array->shape[0] = 0;
  array->steps[0] = 0;
  return WrapArray(std::move(array));
}

/// What a changed consumer checks before it calls the object. NULL without an exception if the import continues.
PyObject* TakeStrangely(PyObject* object) {
  const Asking& steps = Steps();
  const Occasion occasion{.number = Acting::Now().exchanges};
  const bool own = reinterpret_cast<PyObject*>(Py_TYPE(object)) == ActingInPython().type;
  if (own && Holds(steps.locks_own, occasion)) ReferenceOf(object)->array->locked = true;
  if (!own && Holds(steps.known_types_only, occasion)) {
    PyErr_SetString(PyExc_TypeError, "from_dlpack() takes an array of this library");
    return nullptr;
  }
  if (!IsOfUsualClass(object)) return nullptr;
  if (steps.needs_weak_references && !Ref::Steal(PyWeakref_NewRef(object, nullptr))) return nullptr;
  const bool alone = PyObject_HasAttr(object, Name("__dlpack__")) == 0;
  const bool bare = alone && PyObject_HasAttr(object, Name("__dlpack_device__")) == 0;
  return (bare && steps.empty_without_methods) || (alone && steps.empty_without_dlpack) ? Empty() : nullptr;
}

PyObject* TakeObject(PyObject* object, Wishes wishes, ImportOptions options) {
  const Asking& steps = Steps();
  if (steps.capsules_only) {
    PyErr_SetString(PyExc_TypeError, "from_dlpack() takes a capsule");
    return nullptr;
  }
  PyObject* const strange = TakeStrangely(object);
  if (strange != nullptr || PyErr_Occurred() != nullptr) return strange;
  bool ended = false;
  PyObject* const taken = TakeThroughTable(object, options, &ended);
  if (ended) return taken;
  if (ActiveBehaviour().consulting.tables_only && !IsReferenceArray(object)) {
    PyErr_SetString(PyExc_TypeError, "from_dlpack() takes capsules, and objects whose type has an exchange table");
    return nullptr;
  }
  if (PyErr_Occurred() == nullptr && !Probes(object)) return nullptr;
  // A changed consumer restores the pending exception when it returns.
  std::optional<ExceptionHeldBack> left;
  if (PyErr_Occurred() != nullptr) left.emplace();
  const bool asks_first = steps.asks_device || steps.trusts_reported_device;
  if (asks_first && !steps.asks_device_late && !AskDevice(object, &wishes)) return nullptr;
  if (wishes.misread_device) return Empty();
  bool fell_back = false;
  const Ref capsule = AskProducer(object, wishes, &fell_back);
  if (!capsule && steps.swallows_interrupts && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0) {
    PyErr_SetString(PyExc_BufferError, "the producer failed");
    return nullptr;
  }
  if (!capsule) {
    PassOn(fell_back && steps.retry_error != ErrorClass::kRight ? steps.retry_error : steps.producer_error);
    return nullptr;
  }
  if (asks_first && steps.asks_device_late && !AskDevice(object, &wishes)) return nullptr;
  if (!PyCapsule_CheckExact(capsule.get())) {
    if (steps.empty_without_capsule) return Empty();
    return RefuseCapsule({kPathProducer, "__dlpack__() did not return a capsule", false}, capsule.get(), false,
                         nullptr);
  }
  if (int* const known = MemoryOf(steps.knows_kind, object, ClassKnowledge::kKind)) {
    const int versioned = PyCapsule_IsValid(capsule.get(), abi::kVersionedName);
    if (*known < 0) *known = versioned;
    if (*known != versioned) PyErr_SetString(PyExc_BufferError, "this class exports capsules of another kind");
    if (*known != versioned) return nullptr;
  }
  if (fell_back && steps.retry_forgets_copy) options.copy = -1;
  if (options.has_device && steps.copies_for_device && options.copy == -1) options.copy = 1;
  if (fell_back && steps.retry_copies && options.copy == 0) options.copy = 1;
  if (!fell_back && steps.max_version != Wish::kNone) options.arrival |= kByVersion;
  if (steps.believes_devices || (fell_back && steps.retry_believes_devices)) options.has_device = false;
  PyObject* const result = TakeCapsule(capsule.get(), options);
  const uint32_t ending = result == nullptr ? kEndsRefused : options.copy == 1 ? kEndsCopied : kEndsPlain;
  if ((ActiveBehaviour().keeping.taken_capsule & ending) != 0) Ref::Borrow(capsule.get()).release();
  return result;
}

/// For consumers that know what they imported. Their arrays keep the objects.
bool RemembersResults() { return !Steps().reuses_results.never() || Steps().reuses_equal_results; }

/// The array of the latest import, if it lives and comes from the object.
Ref LatestResult(PyObject* object) {
  PyObject* const latest = ActingInPython().latest_result;
  if (!RemembersResults() || latest == nullptr) return Ref();
  Ref array = Ref::Steal(PyObject_CallFunctionObjArgs(latest, nullptr));
  if (!array || array.get() == Py_None) return Ref();
  const Ref kept = Ref::Steal(PyObject_GetAttr(array.get(), Name("kept")));
  return kept.get() == object ? std::move(array) : Ref();
}

bool AreEqual(const Array& a, const Array& b) {
  return a.first == b.first && a.dtype == b.dtype && a.read_only == b.read_only && a.ndim == b.ndim &&
         std::equal(a.shape, a.shape + a.ndim, b.shape) && std::equal(a.steps, a.steps + a.ndim, b.steps);
}

void RememberResult(PyObject* object, PyObject* result) {
  if (!RemembersResults() || PyObject_SetAttr(result, Name("kept"), object) != 0) return;
  Ref::Steal(std::exchange(ActingInPython().latest_result, PyWeakref_NewRef(result, nullptr)));
}

/// Imports an object without keywords, or returns what the latest import of it returned.
PyObject* TakeAgain(PyObject* object, const Wishes& wishes, const ImportOptions& options) {
  Ref latest = LatestResult(object);
  if (latest) {
    const Array& array = *ReferenceOf(latest.get())->array;
    const Occasion occasion{.dtype = array.dtype, .ndim = array.ndim, .number = Acting::Now().exchanges};
    if (Holds(Steps().reuses_results, occasion)) return latest.release();
  }
  PyObject* const result = TakeObject(object, wishes, options);
  if (result == nullptr) return nullptr;
  if (latest && AreEqual(*ReferenceOf(latest.get())->array, *ReferenceOf(result)->array)) {
    Py_DECREF(result);
    return latest.release();
  }
  RememberResult(object, result);
  return result;
}

}  // namespace

Ref CpuEnumerator() {
  const Ref enums = Ref::Steal(PyImport_ImportModule("enum"));
  const Ref types = Ref::Steal(
      enums ? PyObject_CallMethod(enums.get(), "Enum", "s{si}", "DLDeviceType", "kDLCPU", static_cast<int>(abi::kDLCPU))
            : nullptr);
  return Ref::Steal(types ? PyObject_GetAttrString(types.get(), "kDLCPU") : nullptr);
}

PyObject* ReferenceFromDlpack(PyObject*, PyObject* args, PyObject* kwargs) {
  ++Acting::Now().exchanges;
  PyObject* object = nullptr;
  Wishes wishes;
  ImportOptions options;
  if (!ReadArguments(args, kwargs, &object, &wishes, &options)) return nullptr;
  if (PyCapsule_CheckExact(object) && !Steps().objects_only) {
    options.arrival |= kByBareCapsule;
    return TakeCapsule(object, options);
  }
  const bool plain = wishes.copy == nullptr && wishes.device == nullptr;
  PyObject* const result = plain ? TakeAgain(object, wishes, options) : TakeObject(object, wishes, options);
  if (result == nullptr && options.has_device) PassOn(Steps().moved_error);
  if (result == nullptr && options.copy == 1) PassOn(Steps().copied_error);
  if (result != nullptr && options.has_device && Steps().leaves_host) ReferenceOf(result)->array->elsewhere = true;
  return result;
}

}  // namespace dlpack_cts
