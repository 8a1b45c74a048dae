// bridge/exchange.cc: a Python library as a subject: its imports, and the arrays that it makes and exports.
#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "base/enum_words.h"
#include "bridge/storage.h"
#include "bridge/subject.h"
#include "harness/forge/forge.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

/// `fresh`: the name is a new string, not the interned one.
bool SetKeyword(PyObject* keywords, const char* name, const Argument& argument, bool fresh) {
  const Ref value = MakeArgument(argument);
  if (!value) return true;
  const Ref key = fresh ? Ref::Steal(PyUnicode_FromString(name)) : Ref::Borrow(Name(name));
  return key && PyDict_SetItem(keywords, key.get(), value.get()) == 0;
}

bool HasKeywords(const Call& call) {
  return call.max_version.kind != ArgumentKind::kAbsent || call.dl_device.kind != ArgumentKind::kAbsent ||
         call.copy.kind != ArgumentKind::kAbsent || call.stream.kind != ArgumentKind::kAbsent ||
         call.unknown_keyword != 0;
}

/// No class for the refusal of an array that exists. Other classes of exceptions may be a refusal.
constexpr std::array<std::string_view, 5> kBugsOfAnExport = {"IndexError", "KeyError", "ZeroDivisionError",
                                                             "AssertionError", "RecursionError"};

/// The keywords of __dlpack__; empty if there are none.
Ref ExportKeywords(const Call& call) {
  if (!HasKeywords(call)) return Ref();
  Ref keywords = Ref::Steal(PyDict_New());
  const bool fresh = call.fresh_names != 0;
  const std::pair<const char*, const Argument*> listed[] = {{"max_version", &call.max_version},
                                                            {"dl_device", &call.dl_device},
                                                            {"copy", &call.copy},
                                                            {"stream", &call.stream}};
  for (const int place : KeywordOrder(call))
    SetKeyword(keywords.get(), listed[place].first, *listed[place].second, fresh);
  if (call.unknown_keyword != 0) SetKeyword(keywords.get(), "nonsense", Argument{ArgumentKind::kInt, {}, 1, 0}, fresh);
  return keywords;
}

Ref Int64Tuple(const int64_t* values, int count) {
  Ref tuple = Ref::Steal(PyTuple_New(count));
  for (int i = 0; tuple && i < count; ++i) PyTuple_SetItem(tuple.get(), i, PyLong_FromLongLong(values[i]));
  return tuple;
}

/// The array if it lacks the method, else NULL. If the array has the method, an AttributeError comes from inside it,
/// and is a bug of the library. May be called with an exception pending.
PyObject* IfLacking(const char* method, PyObject* array) {
  const ExceptionHeldBack held_back;
  return HasAttribute(array, Name(method)) ? nullptr : array;
}

/// Records the exception of a call of the protocol. `handed`: the objects that the library received in it.
void TakeAnswer(std::initializer_list<PyObject*> handed, Refusal& refusal) {
  const Given given(handed.begin(), handed.size());
  TakeException(refusal, false, &given);
}

/// The same if the call returned no array. Returns the array.
PyObject* Settle(PyObject* array, std::initializer_list<PyObject*> handed, Refusal& refusal) {
  if (array == nullptr) {
    TakeAnswer(handed, refusal);
  } else {
    refusal.outcome = Outcome::kAccepted;
  }
  return array;
}

/// The str of a dtype's name.
Ref DataTypeText(abi::DLDataType dtype) {
  const std::string_view text = DataTypeName(dtype);
  if (DataTypeIndex(dtype) >= 0) return Ref::Borrow(Name(text.data()));  // a literal
  return Ref::Steal(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

void SetNumber(PyObject* keywords, const char* name, int64_t number) {
  const Ref value = Ref::Steal(PyLong_FromLongLong(number));
  PyDict_SetItem(keywords, Name(name), value.get());
}

/// A dict with the attributes of a request, all None.
PyObject* RequestNames() {
  PyObject* const names = PyDict_New();
  for (const char* name :
       {"dtype", "itemsize", "shape", "strides", "offset", "backing", "read_only", "making", "oddity"}) {
    PyDict_SetItem(names, Name(name), Py_None);
  }
  return names;
}

}  // namespace

PyObject* PythonSubject::CallFromDlpack(PyObject* object, const Call& call, abi::DLDataType dtype, int ndim) {
  const bool plain = call.copy.kind == ArgumentKind::kAbsent && call.dl_device.kind == ArgumentKind::kAbsent;
  if (plain && !typed_imports_) {
    return PyObject_CallFunctionObjArgs(adapter_[Hook::kFromDlpack].get(), object, nullptr);
  }
  const Ref arguments = Ref::Steal(PyTuple_Pack(1, object));
  const Ref keywords = Ref::Steal(PyDict_New());
  SetKeyword(keywords.get(), "copy", call.copy, false);
  SetKeyword(keywords.get(), "device", call.dl_device, false);
  if (typed_imports_) {
    PyDict_SetItem(keywords.get(), Name("dtype"), DataTypeText(dtype).get());
    SetNumber(keywords.get(), "ndim", ndim);
  }
  counts_.KeepArguments(keywords.get());
  return PyObject_Call(adapter_[Hook::kFromDlpack].get(), arguments.get(), keywords.get());
}

Handle PythonSubject::Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                             Ledger& ledger) {
  slots_->BeginExchange(slot, offer, offered, ledger);
  Refusal& outcome = ledger.imports[slot].import;
  if (!adapter_[Hook::kFromDlpack]) {
    outcome.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  const Ref object = bare_capsule ? HandOutCapsule(*slots_, slot) : MakeProducer(slots_, slot);
  if (!bare_capsule) (*slots_)[slot].producer = Ref::Borrow(object.get()).release();
  if (!bare_capsule) counts_.KeepProducer(object.get());
  const int64_t warnings = WarningsIssued();
  PyObject* array = object ? CallFromDlpack(object.get(), call, offer.dtype, offer.ndim) : nullptr;
  ledger.imports[slot].warned = WarningsIssued() > warnings ? 1 : 0;
  offered.forge->EndView(slot);
  if (array != nullptr && offer.gives == Gives::kKeepsArray && !bare_capsule) {
    PyObject_SetAttr(object.get(), Name("array"), array);
  }
  return SettleImport(array, object.get(), slot, ledger, outcome);
}

PyObject* PythonSubject::SettleImport(PyObject* array, PyObject* thing, int slot, const Ledger& ledger,
                                      Refusal& outcome) {
  const Offer& offer = (*slots_)[slot].offer;
  if (Settle(array, {thing, offer.gives == Gives::kNone ? Py_None : nullptr}, outcome) != nullptr) return array;
  // If a function of the table failed or returned NULL without an exception, CPython raised the SystemError. It is
  // not a bug of the library.
  const TableUse& use = ledger.imports[slot].table;
  const ForgedTable& table = (*slots_)[slot].table;
  if (offer.gives == Gives::kInterrupts) outcome.ends_programs = 0;  // it is the producer's exception
  if ((use.failed & table.silent_slots) != 0 || (use.called & table.empty_slots) != 0) outcome.stumbled = 0;
  // An adapter that has no class for the type raises this before it calls the library.
  const ImportLedger& import = ledger.imports[slot];
  const bool untouched = import.producer_calls == 0 && import.deleter.calls == 0;
  if (typed_imports_ && untouched && outcome.builtin.view() == "NotImplementedError") {
    outcome.outcome = Outcome::kUnsupported;
  }
  return nullptr;
}

PyObject* PythonSubject::CallByTable(Hook hook, const Offer& offer, int slot, const Offered& offered, Ledger& ledger) {
  slots_->BeginExchange(slot, offer, offered, ledger);
  if (!adapter_[hook]) {
    ledger.imports[slot].import.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  const Ref object = MakeProducer(slots_, slot);
  (*slots_)[slot].producer = Ref::Borrow(object.get()).release();
  PyObject* const result = object ? PyObject_CallFunctionObjArgs(adapter_[hook].get(), object.get(), nullptr) : nullptr;
  offered.forge->EndView(slot);
  return SettleImport(result, object.get(), slot, ledger, ledger.imports[slot].import);
}

Handle PythonSubject::ImportByTable(const Offer& offer, int slot, const Offered& offered, Ledger& ledger) {
  return CallByTable(Hook::kFromExchange, offer, slot, offered, ledger);
}

void PythonSubject::Peek(const Offer& offer, int slot, const Offered& offered, Ledger& ledger) {
  const Ref tuple = Ref::Steal(CallByTable(Hook::kPeek, offer, slot, offered, ledger));
  if (tuple) ReadDescription(tuple.get(), Hook::kPeek, ledger.imports[slot].result);
}

Handle PythonSubject::ImportForeign(Handle foreign, const Request& request, const Call& call, Refusal& refusal) {
  if (!adapter_[Hook::kFromDlpack]) {
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  return Settle(CallFromDlpack(Object(foreign), call, request.dtype, request.dims), {Object(foreign)}, refusal);
}

Handle PythonSubject::ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) {
  const ProducerSlot& state = (*slots_)[slot];
  PyObject* object = bare_capsule ? state.capsule : state.producer;
  if (object == nullptr) return nullptr;
  Refusal& outcome = ledger.imports[slot].again;
  PyObject* array =
      SettleImport(CallFromDlpack(object, call, state.offer.dtype, state.offer.ndim), object, slot, ledger, outcome);
  if (state.capsule != nullptr) ledger.imports[slot].name_after_again = SeenName(PyCapsule_GetName(state.capsule));
  return array;
}

void PythonSubject::DropCapsule(int slot) {
  counts_.KeepCapsule((*slots_)[slot].capsule);
  Py_CLEAR((*slots_)[slot].capsule);
}

void PythonSubject::DropProducer(int slot) { Py_CLEAR((*slots_)[slot].producer); }

void PythonSubject::InspectCapsule(int slot, Ledger&) { dlpack_cts::InspectCapsule(*slots_, slot); }

Handle PythonSubject::Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) {
  if (!adapter_[Hook::kMake]) {
    refusal.outcome = Outcome::kUnsupported;
    return nullptr;
  }
  constexpr const char* kMakings[] = {"fresh", "view"};
  static_assert(std::size(kMakings) == kEnumerators<Making>);
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  // A copy of a dict with all names already has room for them.
  static PyObject* const names = RequestNames();
  const Ref keywords = Ref::Steal(PyDict_Copy(names));
  const Ref shape = Int64Tuple(request.shape, request.dims);
  const Ref stride_tuple = Int64Tuple(strides, request.dims);
  const Ref bytes = Ref::Steal(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(backing.data()),
                                                         static_cast<Py_ssize_t>(backing.size())));
  PyDict_SetItem(keywords.get(), Name("dtype"), DataTypeText(request.dtype).get());
  SetNumber(keywords.get(), "itemsize", ItemSize(request.dtype));
  PyDict_SetItem(keywords.get(), Name("shape"), shape.get());
  PyDict_SetItem(keywords.get(), Name("strides"), stride_tuple.get());
  SetNumber(keywords.get(), "offset", request.offset);
  PyDict_SetItem(keywords.get(), Name("backing"), bytes.get());
  PyDict_SetItem(keywords.get(), Name("read_only"), request.read_only != 0 ? Py_True : Py_False);
  PyDict_SetItem(keywords.get(), Name("making"), Name(kMakings[static_cast<size_t>(request.making)]));
  PyDict_SetItem(keywords.get(), Name("oddity"), Name(OddityName(request.oddity)));
  const Ref empty = Ref::Steal(PyTuple_New(0));
  const Ref object = Ref::Steal(PyObject_Call(request_type_.get(), empty.get(), keywords.get()));
  PyObject* array = object ? PyObject_CallFunctionObjArgs(adapter_[Hook::kMake].get(), object.get(), nullptr) : nullptr;
  if (array == nullptr) {
    TakeException(refusal, true);
  } else {
    refusal.outcome = Outcome::kAccepted;
  }
  return array;
}

void PythonSubject::Export(Handle array, const Call& call, int slot, Ledger& ledger) {
  ExportLedger& record = ledger.exports[slot];
  const Ref keywords = ExportKeywords(call);
  counts_.KeepArguments(keywords.get());
  Ref capsule;
  if (adapter_[Hook::kExport]) {
    const Ref arguments = Ref::Steal(PyTuple_Pack(1, Object(array)));
    capsule = Ref::Steal(PyObject_Call(adapter_[Hook::kExport].get(), arguments.get(), keywords.get()));
  } else {
    const Ref method = Ref::Steal(PyObject_GetAttr(Object(array), Name("__dlpack__")));
    const Ref arguments = Ref::Steal(PyTuple_New(0));
    if (method) capsule = Ref::Steal(PyObject_Call(method.get(), arguments.get(), keywords.get()));
  }
  // The hook of the reference replaces the methods, because mutants change it.
  const bool by_hook = adapter_[Hook::kExport] && adapter_.reference == nullptr;
  if (!capsule) {
    if (by_hook) NoteMistake(Hook::kExport, false);
    // A stream may be an object; the library then reads an attribute of it.
    PyObject* const stream = keywords ? PyDict_GetItemString(keywords.get(), "stream") : nullptr;
    TakeAnswer({IfLacking("__dlpack__", Object(array)), stream == Py_None ? nullptr : stream}, record.export_call);
    // Arguments that the library does not expect may raise them.
    const bool plain = !keywords || (call.max_version.kind == ArgumentKind::kPair && PyDict_Size(keywords.get()) == 1);
    if (plain && !by_hook && std::ranges::count(kBugsOfAnExport, record.export_call.builtin.view()) != 0) {
      record.export_call.stumbled = 1;
    }
    return;
  }
  record.export_call.outcome = Outcome::kAccepted;
  record.is_capsule = PyCapsule_CheckExact(capsule.get()) ? 1 : 0;
  if (by_hook && !record.is_capsule)
    Note(Complaint::kHook, Hook::kExport, "returned an object that is not a capsule; expected a PyCapsule");
  if (!record.is_capsule) return;
  const char* name = PyCapsule_GetName(capsule.get());
  record.name = SeenName(name);
  record.name_storage = name != nullptr ? Storage(name) : NameStorage::kUnknown;
  record.has_destructor = PyCapsule_GetDestructor(capsule.get()) != nullptr;
  for (int other = 0; other < kSlots; ++other) {
    if (other != slot && exported_[other] == capsule.get()) record.same_capsule = 1;
  }
  const bool known = record.name == NameSeen::kLegacy || record.name == NameSeen::kVersioned;
  // An object that is not a DLPack capsule is dropped here. It is not used, and may keep the array alive.
  if (!known) return;
  void* const managed = PyCapsule_GetPointer(capsule.get(), name);
  Forge::Looking::Renew();
  const Forge::Looking looking;
  // The struct is read as the kind that it is. Otherwise a wrong name would also make all its fields wrong.
  RecordExport(managed, IsVersionedStruct(managed, record.name == NameSeen::kVersioned), record);
  if (PyObject* const before = std::exchange(exported_[slot], capsule.release())) {
    Py_DECREF(before);
    Forge::Looking::Renew();
  }
}

void* PythonSubject::ExportedStruct(int slot) {
  if (exported_[slot] == nullptr) return nullptr;
  const char* name = PyCapsule_GetName(exported_[slot]);
  const NameSeen seen = SeenName(name);
  if (seen == NameSeen::kForeign || seen == NameSeen::kNull) return nullptr;
  void* managed = PyCapsule_GetPointer(exported_[slot], name);
  PyErr_Clear();
  return managed;
}

void PythonSubject::TakeCapsule(int slot) {
  if (exported_[slot] == nullptr) return;
  const bool versioned = SeenName(PyCapsule_GetName(exported_[slot])) == NameSeen::kVersioned;
  PyCapsule_SetName(exported_[slot], versioned ? abi::kUsedVersionedName : abi::kUsedLegacyName);
}

void PythonSubject::LoseCapsule(int slot) {
  counts_.KeepCapsule(exported_[slot]);
  Py_CLEAR(exported_[slot]);
}

void PythonSubject::AskDevice(Handle array, SourceLedger& source) {
  // If the adapter has functions instead of methods, there is no method to call. An array with one of the two methods
  // must have both.
  if (!adapter_[Hook::kDevice] && !HasAttribute(Object(array), Name("__dlpack__")) &&
      !HasAttribute(Object(array), Name("__dlpack_device__"))) {
    source.device_call.outcome = Outcome::kUnsupported;
    return;
  }
  const Ref result = Ref::Steal(
      adapter_[Hook::kDevice] ? PyObject_CallFunctionObjArgs(adapter_[Hook::kDevice].get(), Object(array), nullptr)
                              : PyObject_CallMethodObjArgs(Object(array), Name("__dlpack_device__"), nullptr));
  if (!result) {
    if (adapter_[Hook::kDevice]) NoteMistake(Hook::kDevice, true);
    TakeAnswer({IfLacking("__dlpack_device__", Object(array))}, source.device_call);
    return;
  }
  source.device_call.outcome = Outcome::kAccepted;
  source.device_is_pair = PyTuple_Check(result.get()) && PyTuple_Size(result.get()) == 2;
  if (!source.device_is_pair) {
    if (adapter_[Hook::kDevice])
      Note(Complaint::kHook, Hook::kDevice,
           "returned an object that is not a pair; expected a tuple of two ints (type, id)");
    return;
  }
  // What consumers accept: int, IntEnum, NumPy integers by __index__, and an Enum by its value.
  const auto number = [](PyObject* item, int32_t* out) {
    int64_t value = 0;
    if (!ToNumber(item, &value)) return false;
    *out = static_cast<int32_t>(value);
    return true;
  };
  source.device_type_is_int = number(PyTuple_GetItem(result.get(), 0), &source.device.device_type);
  source.device_id_is_int = number(PyTuple_GetItem(result.get(), 1), &source.device.device_id);
}

}  // namespace dlpack_cts
