// bridge/producer.cc: the fake producer that offers a tensor to the library, and its capsules.
#include "bridge/producer.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "bridge/forged_table.h"
#include "bridge/storage.h"
#include "harness/forge/thread.h"

namespace dlpack_cts {

extern const char* const kUnusualProducers;  // Python text, which CMake embeds

namespace {

struct ProducerObject {
  PyObject ob_base;
  std::shared_ptr<ProducerTable>* table;
  int slot;
  uint64_t exchange;
};

PyObject* g_type = nullptr;
// Types for objects without __dlpack__ or __dlpack_device__, because a library may look up methods on the type.
PyObject* g_device_alone = nullptr;
PyObject* g_no_methods = nullptr;
std::vector<ProducerTable*> g_tables;  // all that exist; a capsule's destructor gets only its capsule

/// Like a conforming destructor: releases the tensor only if the capsule still has its unused name.
void CapsuleDestructor(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);
  const NameSeen seen = SeenName(name);
  if (seen != NameSeen::kLegacy && seen != NameSeen::kVersioned) return;
  const void* managed = PyCapsule_GetPointer(capsule, name);
  const void* context = PyCapsule_GetContext(capsule);
  for (ProducerTable* table : g_tables) {
    for (const ProducerSlot& slot : *table) {
      if (slot.exchange == 0 || slot.offered.managed != managed || table->ContextOf(slot) != context) continue;
      if (slot.offer.name == CapsuleName::kOwn) Forge::ReleaseFromDestructor(managed);
      return;
    }
  }
}

/// The exchange of the producer. NULL with an exception set if it is over.
ProducerSlot* ExchangeOf(PyObject* self) {
  const auto* producer = reinterpret_cast<ProducerObject*>(self);
  ProducerSlot& slot = (**producer->table)[producer->slot];
  if (producer->exchange == slot.exchange) return &slot;
  PyErr_SetString(PyExc_RuntimeError, "the exchange that this producer belonged to is over");
  return nullptr;
}

ProducerCall* NextCall(ProducerSlot& slot) {
  ImportLedger& import = slot.ledger->imports[slot.slot];
  const int index = import.producer_calls++;
  slot.ledger->Add(Seen::kProducerCalled, slot.slot, index);
  static ProducerCall overflow;
  return index < kProducerCalls ? &import.calls[index] : &(overflow = ProducerCall{});
}

/// Records the keywords of the call. Returns the number of unknown ones.
int ReadKeywords(PyObject* kwargs, ProducerCall& call) {
  int unknown = 0;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (kwargs != nullptr && PyDict_Next(kwargs, &position, &key, &value)) {
    if (PyUnicode_CompareWithASCIIString(key, "max_version") == 0) {
      call.max_version = ArgumentOf(value);
    } else if (PyUnicode_CompareWithASCIIString(key, "dl_device") == 0) {
      call.dl_device = ArgumentOf(value);
    } else if (PyUnicode_CompareWithASCIIString(key, "copy") == 0) {
      call.copy = ArgumentOf(value);
    } else if (PyUnicode_CompareWithASCIIString(key, "stream") == 0) {
      call.stream = ArgumentOf(value);
    } else {
      ++unknown;
      call.unknown_keyword = 1;
      call.unknown_name.Set(TextOf(key));
    }
  }
  return unknown;
}

PyObject* Refuse(ProducerCall& call, PyObject* type, const char* text) {
  call.raised = 1;
  PyErr_SetString(type, text);
  return nullptr;
}

/// How the producer answers one keyword; false with an exception set. `met`: the offer satisfies the argument.
bool Answered(Reply answer, const Argument& argument, bool met, const char* unmet, ProducerCall& call) {
  const bool given = argument.kind != ArgumentKind::kAbsent;
  switch (answer) {
    case Reply::kIgnores:
      return true;
    case Reply::kObeys:
      if (!met) Refuse(call, PyExc_BufferError, unmet);
      return met;
    case Reply::kTypeError:
      if (given) Refuse(call, PyExc_TypeError, "__dlpack__() got an unexpected keyword argument");
      return !given;
    case Reply::kBufferError:
      if (given) Refuse(call, PyExc_BufferError, "this producer refuses to export with this keyword");
      return !given;
    case Reply::kRaises:
      if (given) Refuse(call, PyExc_RuntimeError, "this producer raises RuntimeError for this keyword");
      return !given;
  }
  return true;
}

bool KeywordsAnswered(const Offer& offer, ProducerCall& call) {
  const Keywords& answers = offer.keywords;
  const bool asked = !IsNothing(call.max_version);
  const Argument& device = call.dl_device;
  const bool here = IsNothing(device) || (device.kind == ArgumentKind::kPair && device.a == offer.device.device_type &&
                                          device.b == offer.device.device_id);
  return Answered(answers.max_version, call.max_version, offer.kind != StructKind::kVersioned || asked,
                  "this producer does not export legacy capsules", call) &&
         Answered(answers.dl_device, device, here, "this producer does not move data to another device", call) &&
         Answered(answers.copy, call.copy, call.copy.kind != ArgumentKind::kTrue, "this producer does not make copies",
                  call) &&
         Answered(answers.stream, call.stream, true, "", call);
}

PyObject* Dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  ProducerSlot* slot = ExchangeOf(self);
  if (slot == nullptr) return nullptr;
  ProducerCall& call = *NextCall(*slot);
  call.positional = static_cast<uint8_t>(PyTuple_Size(args));
  const int unknown = ReadKeywords(kwargs, call);
  const Offer& offer = slot->offer;
  if (unknown > 0 || call.positional > 0) {
    return Refuse(call, PyExc_TypeError, "__dlpack__() got an unexpected argument");
  }
  if (!KeywordsAnswered(offer, call)) return nullptr;
  if (offer.gives == Gives::kBufferError) return Refuse(call, PyExc_BufferError, "this producer refuses to export");
  if (offer.gives == Gives::kNone) Py_RETURN_NONE;
  if (offer.gives == Gives::kTypeError) return Refuse(call, PyExc_TypeError, "this producer raises TypeError");
  if (offer.gives == Gives::kOSError) return Refuse(call, PyExc_OSError, "this producer raises OSError");
  if (offer.gives == Gives::kInterrupts) return Refuse(call, PyExc_KeyboardInterrupt, "this producer was interrupted");
  if (slot->offered.on_export != nullptr) slot->offered.on_export(slot->offered.on_export_of, call.stream);
  return HandOutCapsule(**reinterpret_cast<ProducerObject*>(self)->table, slot->slot).release();
}

/// The name that unusual.py gives to such objects.
const char* UnusualName(Gives gives) {
  constexpr const char* kNames[] = {"Inherits",    "of_metaclass",       "OfInstance",  "ByGetattr",  "static",
                                    "NoModule",    "NoneForModule",      "own_class",   "KeepsArray", "OthersRaise",
                                    "TableRaises", "DeviceLookupRaises", "LookupRaises"};
  constexpr int kFirst = static_cast<int>(Gives::kInherits);
  static_assert(std::size(kNames) == static_cast<int>(Gives::kLookupRaises) - kFirst + 1);
  return kNames[static_cast<int>(gives) - kFirst];
}

/// The device as a pair of integers of other classes.
PyObject* DeviceOfOtherClass(const Offer& offer) {
  Argument argument{ArgumentKind::kEnumPair, {}, offer.reported_device.device_type, offer.reported_device.device_id};
  if (offer.gives == Gives::kSubclassForDevice) argument.kind = ArgumentKind::kSubclassPair;
  if (offer.gives == Gives::kIndexForDevice) argument.kind = ArgumentKind::kIndexPair;
  return MakeArgument(argument).release();
}

PyObject* DlpackDevice(PyObject* self, PyObject*) {
  ProducerSlot* slot = ExchangeOf(self);
  if (slot == nullptr) return nullptr;
  ProducerCall& call = *NextCall(*slot);
  call.is_device = 1;
  switch (slot->offer.gives) {
    case Gives::kNoDevice:
      return Refuse(call, PyExc_OSError, "__dlpack_device__ of this producer raises OSError");
    case Gives::kNoneForDevice:
      Py_RETURN_NONE;
    case Gives::kNumberForDevice:
      return PyLong_FromLong(1);
    case Gives::kOneForDevice:
      return Py_BuildValue("(i)", 1);
    case Gives::kThreeForDevice:
      return Py_BuildValue("(iii)", 1, 0, 0);
    case Gives::kTextForDevice:
      return Py_BuildValue("(si)", "cpu", 0);
    case Gives::kEnumForDevice:
    case Gives::kSubclassForDevice:
    case Gives::kIndexForDevice:
      return DeviceOfOtherClass(slot->offer);
    default:
      break;
  }
  const abi::DLDevice device = slot->offer.reported_device;
  return Py_BuildValue("(ii)", device.device_type, device.device_id);
}

void Deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<ProducerObject*>(self)->table;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

/// Objects without __dlpack__ use the table from the second entry on; objects without both methods from the last one.
PyMethodDef g_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Dlpack)), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"__dlpack_device__", DlpackDevice, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

ProducerSlot* SlotOf(PyObject* object) {
  // One of the types of this file, or a subtype with an exchange table.
  const auto is_a = [object](PyObject* type) { return PyObject_IsInstance(object, type) == 1; };
  if (!is_a(g_type) && !is_a(g_device_alone) && !is_a(g_no_methods)) return nullptr;
  const auto* producer = reinterpret_cast<ProducerObject*>(object);
  ProducerSlot& slot = (**producer->table)[producer->slot];
  return producer->exchange == slot.exchange ? &slot : nullptr;
}

PyObject* ProducerType() { return g_type; }

static PyObject* MakeType(PyMethodDef* methods) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(Deallocate)}, {Py_tp_methods, methods}, {0, nullptr}};
  PyType_Spec spec = {"dlpack_cts.Producer", sizeof(ProducerObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                      slots};
  return PyType_FromSpec(&spec);
}

bool MakeProducerType() {
  if (g_type != nullptr) return true;
  g_device_alone = MakeType(&g_methods[1]);
  g_no_methods = MakeType(&g_methods[2]);
  if (g_device_alone != nullptr && g_no_methods != nullptr) g_type = MakeType(g_methods);
  return g_type != nullptr;
}

static PyObject* TypeOf(const Offer& offer) {
  if (offer.gives == Gives::kNoMethods) return g_no_methods;
  return offer.gives == Gives::kDeviceAlone ? g_device_alone : g_type;
}

ProducerTable::ProducerTable() {
  for (int slot = 0; slot < kSlots; ++slot) slots_[slot].slot = slot;
  g_tables.push_back(this);
}

ProducerTable::~ProducerTable() {
  EndExchanges();
  std::erase(g_tables, this);
}

void ProducerTable::BeginExchange(int number, const Offer& offer, const Offered& offered, Ledger& ledger) {
  ProducerSlot& slot = slots_[number];
  Py_CLEAR(slot.producer);
  Py_CLEAR(slot.capsule);
  slot.exchange = ++exchanges_;
  slot.offer = offer;
  slot.offered = offered;
  slot.ledger = &ledger;
  slot.table = table_;
  slot.handed = false;
}

void ProducerTable::EndExchanges() {
  ++lives_;
  table_ = {};
  for (ProducerSlot& slot : slots_) {
    slot.exchange = 0;
    Unpublish(slot);
    Py_CLEAR(slot.producer);
    Py_CLEAR(slot.capsule);
  }
}

/// A usual producer of another slot's exchange, which belongs to this slot's exchange from now on. Empty without one.
static Ref EarlierProducer(ProducerTable& table, const ProducerSlot& of) {
  for (const ProducerSlot& other : table) {
    if (other.slot == of.slot || other.producer == nullptr) continue;
    if (reinterpret_cast<PyObject*>(Py_TYPE(other.producer)) != g_type) continue;
    auto* const producer = reinterpret_cast<ProducerObject*>(other.producer);
    producer->slot = of.slot;
    producer->exchange = of.exchange;
    return Ref::Borrow(other.producer);
  }
  return Ref();
}

Ref MakeProducer(const std::shared_ptr<ProducerTable>& table, int slot) {
  ProducerSlot& of = (*table)[slot];
  if (of.offer.gives == Gives::kEarlierObject) {
    if (Ref earlier = EarlierProducer(*table, of)) return earlier;
  }
  PyObject* const own = TypeOf(of.offer);
  const Ref type = of.table.attribute == TableAttribute::kNone ? Ref::Borrow(own) : Publish(own, table, of);
  if (!type) return Ref();
  auto* const class_ = reinterpret_cast<PyTypeObject*>(type.get());
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(class_, Py_tp_alloc));
  auto* object = reinterpret_cast<ProducerObject*>(allocate(class_, 0));
  if (object != nullptr) {
    object->table = new std::shared_ptr<ProducerTable>(table);
    object->slot = slot;
    object->exchange = of.exchange;
  }
  Ref producer = Ref::Steal(reinterpret_cast<PyObject*>(object));
  if (!producer || !IsUnusual(of.offer.gives)) return producer;
  static PyObject* const names = DefinedBy(kUnusualProducers);
  PyObject* const make = PyDict_GetItemString(names, UnusualName(of.offer.gives));
  if (of.offer.gives != Gives::kOwnClass) {
    return Ref::Steal(make != nullptr ? PyObject_CallFunctionObjArgs(make, producer.get(), nullptr) : nullptr);
  }
  // A consumer may remember classes by name. So that of another exchange is another one.
  const std::string name = "Producer" + std::to_string(table->lives());
  return Ref::Steal(make != nullptr ? PyObject_CallFunction(make, "Os", producer.get(), name.c_str()) : nullptr);
}

/// The deleter calls of this step were for an earlier export. A consumer may take a tensor, for example to learn its
/// dtype, release it, and use that of a second export.
static void ForgetEarlierExport(Ledger& ledger, int slot) {
  const int32_t marked = ThreadMark::Step();
  const int32_t step = marked != ThreadMark::kNoStep ? marked : ledger.Step();
  int32_t& in_import = ledger.imports[slot].deleter.calls_in_import;
  for (const DeleterCall& call : std::span(ledger.deleter_calls, std::min(ledger.deleter_count, kDeleterCalls))) {
    if (call.slot == slot && call.step == step && call.wrong == 0 && in_import > 0) --in_import;
  }
}

/// Prepares the slot for another export: its tensor is shared with the earlier ones, or made again if they released it.
static void ExportAgain(ProducerSlot& slot) {
  if (!slot.handed && slot.capsule == nullptr) return;
  Forge& forge = *slot.offered.forge;
  if (forge.Released(slot.slot)) {
    ForgetEarlierExport(*slot.ledger, slot.slot);
    slot.offered = forge.Make(slot.offer, slot.slot, *slot.ledger);
  } else {
    forge.Share(slot.slot);
  }
  slot.handed = false;
  Py_CLEAR(slot.capsule);
}

abi::DLManagedTensorVersioned* HandOutTensor(ProducerSlot& slot) {
  if (slot.offer.kind != StructKind::kVersioned) {
    PyErr_SetString(PyExc_BufferError, "this producer has no versioned tensor");
    return nullptr;
  }
  ExportAgain(slot);
  slot.handed = true;
  ++slot.ledger->imports[slot.slot].capsules;
  return static_cast<abi::DLManagedTensorVersioned*>(slot.offered.managed);
}

Ref HandOutCapsule(ProducerTable& table, int number) {
  ProducerSlot& slot = table[number];
  if (slot.capsule != nullptr) {
    const bool unused = SeenName(PyCapsule_GetName(slot.capsule)) == slot.ledger->imports[slot.slot].name_before;
    const bool same = unused && !slot.offered.forge->Released(slot.slot);
    if (same || slot.offer.gives == Gives::kStored) return Ref::Borrow(slot.capsule);
  }
  ExportAgain(slot);
  const bool releases = slot.offer.destructor == DestructorKind::kReleases;
  Ref capsule = Ref::Steal(
      PyCapsule_New(slot.offered.managed, slot.offered.capsule_name, releases ? CapsuleDestructor : nullptr));
  if (!capsule) return capsule;
  PyCapsule_SetContext(capsule.get(), table.ContextOf(slot));
  ImportLedger& import = slot.ledger->imports[slot.slot];
  ++import.capsules;
  import.name_before = SeenName(slot.offered.capsule_name);
  slot.capsule = Ref::Borrow(capsule.get()).release();
  return capsule;
}

void InspectCapsule(ProducerTable& table, int number) {
  const ProducerSlot& slot = table[number];
  if (slot.capsule == nullptr) return;
  ImportLedger& import = slot.ledger->imports[slot.slot];
  const char* name = PyCapsule_GetName(slot.capsule);
  const NameSeen before = import.name_after == NameSeen::kNotSeen ? import.name_before : import.name_after;
  import.name_after = SeenName(name);
  if (import.name_after != before) {
    slot.ledger->Add(Seen::kNameChanged, slot.slot, static_cast<int32_t>(before),
                     static_cast<int64_t>(import.name_after));
    import.used_name_storage = name != nullptr ? Storage(name) : NameStorage::kUnknown;
  }
  const bool releases = slot.offer.destructor == DestructorKind::kReleases;
  import.capsule_pointer_changed = PyCapsule_GetPointer(slot.capsule, name) != slot.offered.managed;
  import.capsule_context_changed = PyCapsule_GetContext(slot.capsule) != table.ContextOf(slot);
  import.capsule_destructor_changed = PyCapsule_GetDestructor(slot.capsule) != (releases ? CapsuleDestructor : nullptr);
  PyErr_Clear();
}

}  // namespace dlpack_cts
