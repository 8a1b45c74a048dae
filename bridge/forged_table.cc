// bridge/forged_table.cc: types with a forged exchange table: the attribute, and the functions of the table.
#include "bridge/forged_table.h"

#include <array>
#include <utility>
#include <vector>

#include "bridge/symbols.h"

namespace dlpack_cts {
namespace {

// ---- The attribute. It records whether it is looked up on the type or on an object.

struct AttributeObject {
  PyObject ob_base;
  std::shared_ptr<ProducerTable>* table;
  int slot;
  uint64_t exchange;
  PyObject* value;
  PyObject* moved;  // returned instead after so many look-ups; NULL if the value does not change
  int lookups;
};

PyObject* LookUp(PyObject* self, PyObject* object, PyObject*) {
  auto* const attribute = reinterpret_cast<AttributeObject*>(self);
  const ProducerSlot& slot = (**attribute->table)[attribute->slot];
  if (slot.exchange == attribute->exchange) {
    TableUse& use = slot.ledger->imports[slot.slot].table;
    use.looked |= object == nullptr ? kLookedOnType : kLookedOnObject;
  }
  if (object == nullptr && slot.table.attribute == TableAttribute::kOnObject) {
    PyErr_SetString(PyExc_AttributeError, abi::kExchangeAttribute);
    return nullptr;
  }
  const bool moves = attribute->moved != nullptr && attribute->lookups++ >= slot.table.moves;
  PyObject* const value = moves ? attribute->moved : attribute->value;
  Py_INCREF(value);
  return value;
}

PyObject* AttributeType() {
  static PyObject* type = nullptr;
  if (type != nullptr) return type;
  PyType_Slot slots[] = {{Py_tp_descr_get, reinterpret_cast<void*>(LookUp)}, {0, nullptr}};
  PyType_Spec spec = {"dlpack_cts.TableAttribute", sizeof(AttributeObject), 0, Py_TPFLAGS_DEFAULT, slots};
  return type = PyType_FromSpec(&spec);
}

// ---- The functions.

std::array<ProducerSlot*, kSlots> g_published = {};

/// Takes the GIL while a function runs, if the thread does not hold it.
class Attached {
 public:
  Attached() : had_(HoldsGil() != 0), state_(had_ ? PyGILState_LOCKED : PyGILState_Ensure()) {}
  ~Attached() {
    if (!had_) PyGILState_Release(state_);
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  bool had() const { return had_; }

 private:
  bool had_;
  PyGILState_STATE state_;
};

/// One call of a function of the table: what it recorded, and whether it succeeds. `object` is NULL if the function has
/// no such parameter.
class Called {
 public:
  Called(int number, TableFunction function, void* object) : slot_(g_published[static_cast<size_t>(number)]) {
    ProducerSlot* const given = object != nullptr ? SlotOf(static_cast<PyObject*>(object)) : nullptr;
    const bool foreign = object != nullptr && given != slot_;
    if (given != nullptr) slot_ = given;
    if (slot_ == nullptr) {
      PyErr_SetString(PyExc_RuntimeError, "the exchange that this table belonged to is over");
      return;
    }
    const auto bit = static_cast<uint8_t>(1u << static_cast<int>(function));
    TableUse& use = slot_->ledger->imports[slot_->slot].table;
    use.called |= bit;
    if (!attached_.had()) use.without_gil |= bit;
    if (PyErr_Occurred() != nullptr) use.pending |= bit;
    slot_->offered.forge->EndView(slot_->slot);
    if (foreign) use.foreign |= bit;
    const bool silent = (slot_->table.silent_slots & bit) != 0;
    const bool refuses = slot_->offer.gives == Gives::kBufferError || (slot_->table.failing_slots & bit) != 0;
    good_ = !foreign && !refuses && !silent;
    empty_ = good_ && (slot_->table.empty_slots & bit) != 0;
    if (!good_) use.failed |= bit;
    if (!good_ && !silent && function != TableFunction::kAllocator)
      PyErr_SetString(foreign ? PyExc_TypeError : PyExc_BufferError, "this table exports no such object");
  }

  bool good() const { return good_ && !empty_; }
  /// The function returns 0 and NULL.
  bool empty() const { return empty_; }
  /// Whether the table makes this function fail, and not the producer.
  bool Fails(TableFunction function) const {
    return slot_ != nullptr && (slot_->table.failing_slots >> static_cast<int>(function) & 1) != 0;
  }
  ProducerSlot& slot() const { return *slot_; }
  /// What a failed function writes to its out parameter: an address whose use is a recorded fault.
  void* Nothing() const { return slot_ != nullptr ? slot_->offered.forge->Inaccessible(slot_->slot) : nullptr; }

 private:
  Attached attached_;
  ProducerSlot* slot_;
  bool good_ = false;
  bool empty_ = false;
};

/// Always fails: a consumer of a tensor does not need an allocator. If the table makes it fail, it calls SetError
/// without the GIL.
int Allocate(const Called& called, abi::DLManagedTensorVersioned** out, void* context,
             void (*set_error)(void*, const char*, const char*)) {
  if (called.empty()) {
    *out = nullptr;
    return 0;
  }
  *out = static_cast<abi::DLManagedTensorVersioned*>(called.Nothing());
  PyErr_Clear();
  PyThreadState* const state = called.Fails(TableFunction::kAllocator) ? PyEval_SaveThread() : nullptr;
  set_error(context, "MemoryError", "this table allocates nothing");
  if (state != nullptr) PyEval_RestoreThread(state);
  return -1;
}

/// The producer queues its work on the work stream, and does not wait.
void QueueWork(const ProducerSlot& slot) {
  const Offered& offered = slot.offered;
  if (offered.on_export == nullptr || offered.work_stream == 0) return;
  offered.on_export(offered.on_export_of, {ArgumentKind::kInt, {}, static_cast<int64_t>(offered.work_stream), 0});
}

int FromObject(const Called& called, abi::DLManagedTensorVersioned** out) {
  if (called.empty()) {
    *out = nullptr;
    return 0;
  }
  if (called.good()) QueueWork(called.slot());
  abi::DLManagedTensorVersioned* const tensor = called.good() ? HandOutTensor(called.slot()) : nullptr;
  *out = tensor != nullptr ? tensor : static_cast<abi::DLManagedTensorVersioned*>(called.Nothing());
  return tensor != nullptr ? 0 : -1;
}

int ToObject(const Called& called, void** out) {
  *out = called.Nothing();
  if (called.good()) PyErr_SetString(PyExc_BufferError, "this table makes no objects");
  return -1;
}

int View(const Called& called, abi::DLTensor* out) {
  *out = {};
  if (called.empty()) return 0;
  out->data = out->shape = out->strides = static_cast<int64_t*>(called.Nothing());
  if (!called.good()) return -1;
  QueueWork(called.slot());
  called.slot().offered.forge->MakeView(called.slot().slot, out);
  return 0;
}

int Stream(const Called& called, abi::DLDevice device, void** out) {
  const bool there = called.good() && device == called.slot().offer.device;
  void* const stream = there ? reinterpret_cast<void*>(called.slot().offered.work_stream) : nullptr;
  *out = called.good() ? stream : called.Nothing();
  return called.good() ? 0 : -1;
}

template <int kSlot>
abi::DLPackExchangeAPI TableOf() {
  return {{},
          [](abi::DLTensor*, abi::DLManagedTensorVersioned** out, void* context,
             void (*set_error)(void*, const char*, const char*)) {
            return Allocate(Called(kSlot, TableFunction::kAllocator, nullptr), out, context, set_error);
          },
          [](void* object, abi::DLManagedTensorVersioned** out) {
            return FromObject(Called(kSlot, TableFunction::kFromObject, object), out);
          },
          [](abi::DLManagedTensorVersioned*, void** out) {
            return ToObject(Called(kSlot, TableFunction::kToObject, nullptr), out);
          },
          [](void* object, abi::DLTensor* out) { return View(Called(kSlot, TableFunction::kView, object), out); },
          [](int32_t type, int32_t id, void** out) {
            return Stream(Called(kSlot, TableFunction::kStream, nullptr), {type, id}, out);
          }};
}

template <int... kNumbers>
abi::DLPackExchangeAPI FunctionsOf(int slot, std::integer_sequence<int, kNumbers...>) {
  constexpr abi::DLPackExchangeAPI (*kTables[])() = {TableOf<kNumbers>...};
  return kTables[slot]();
}

template <typename Function>
void Forbid(Function*& slot, void* address) {
  slot = reinterpret_cast<Function*>(address);
}

/// The tables behind prev_api, the latest first. The functions of other major versions must not be called.
std::vector<abi::DLPackExchangeAPI> OlderTables(const ForgedTable& forged, int slot) {
  void* const nowhere = reinterpret_cast<void*>(uintptr_t{1});  // a call of this address crashes
  std::vector<abi::DLPackExchangeAPI> tables;
  for (int i = 0; i < forged.chain_length; ++i) {
    abi::DLPackExchangeAPI& api = tables.emplace_back(FunctionsOf(slot, std::make_integer_sequence<int, kSlots>()));
    api.header.version = forged.chain[i];
    if (forged.chain[i].major == 1) continue;
    Forbid(api.managed_tensor_allocator, nowhere);
    Forbid(api.managed_tensor_from_py_object_no_sync, nowhere);
    Forbid(api.managed_tensor_to_py_object_no_sync, nowhere);
    Forbid(api.dltensor_from_py_object_no_sync, nowhere);
    Forbid(api.current_work_stream, nowhere);
  }
  return tables;
}

abi::DLPackExchangeAPI Described(const ForgedTable& forged, int slot) {
  abi::DLPackExchangeAPI api = FunctionsOf(slot, std::make_integer_sequence<int, kSlots>());
  const auto null = [&](TableFunction function) { return (forged.null_slots >> static_cast<int>(function) & 1) != 0; };
  api.header.version = forged.version;
  if (null(TableFunction::kAllocator)) api.managed_tensor_allocator = nullptr;
  if (null(TableFunction::kFromObject)) api.managed_tensor_from_py_object_no_sync = nullptr;
  if (null(TableFunction::kToObject)) api.managed_tensor_to_py_object_no_sync = nullptr;
  if (null(TableFunction::kView)) api.dltensor_from_py_object_no_sync = nullptr;
  if (null(TableFunction::kStream)) api.current_work_stream = nullptr;
  return api;
}

/// The value of the attribute.
Ref ValueOf(const ProducerSlot& slot) {
  static constexpr char kOtherName[] = "dlpack_exchange_api_of_another_kind";
  Forge& forge = *slot.offered.forge;
  const abi::DLPackExchangeAPI* const table =
      forge.MakeTable(slot.slot, Described(slot.table, slot.slot), OlderTables(slot.table, slot.slot));
  switch (slot.table.attribute) {
    case TableAttribute::kMisnamed:
      return Ref::Steal(PyCapsule_New(forge.Inaccessible(slot.slot), kOtherName, nullptr));
    case TableAttribute::kNoCapsule:
      return Ref::Steal(PyUnicode_FromString(abi::kExchangeName));
    case TableAttribute::kInteger:
      return Ref::Steal(PyLong_FromVoidPtr(const_cast<abi::DLPackExchangeAPI*>(table)));
    case TableAttribute::kNone:
    case TableAttribute::kCapsule:
    case TableAttribute::kOnObject:
      break;
  }
  return Ref::Steal(PyCapsule_New(const_cast<abi::DLPackExchangeAPI*>(table), abi::kExchangeName, nullptr));
}

/// A copy of the table at another address, which is never freed. NULL if the table does not move.
Ref MovedOf(const ProducerSlot& slot) {
  const bool moves = slot.table.moves != 0 && slot.table.version.major == 1;
  if (!moves || slot.table.attribute != TableAttribute::kCapsule) return Ref();
  return Ref::Steal(
      PyCapsule_New(new abi::DLPackExchangeAPI(Described(slot.table, slot.slot)), abi::kExchangeName, nullptr));
}

/// From a PyType_Spec. Calling `type` would look up the base's slots one by one, which takes several times as long.
Ref Subclass(PyObject* base) {
  static PyType_Slot slots[] = {{0, nullptr}};
  static PyType_Spec spec = {"dlpack_cts.Producer", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  const Ref bases = Ref::Steal(PyTuple_Pack(1, base));
  return bases ? Ref::Steal(PyType_FromSpecWithBases(&spec, bases.get())) : Ref();
}

/// Hides objects that are never freed from the garbage collector, which would visit them in each collection.
void LeaveAlone(PyObject* type) {
  const Ref collector = Ref::Steal(PyImport_ImportModule("gc"));
  const Ref parts = collector ? Ref::Steal(PyObject_CallMethod(collector.get(), "get_referents", "O", type)) : Ref();
  const Py_ssize_t count = parts ? PyList_Size(parts.get()) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const part = PyList_GetItem(parts.get(), i);
    if (PyDict_CheckExact(part) || PyTuple_CheckExact(part)) PyObject_GC_UnTrack(part);
  }
  PyObject_GC_UnTrack(type);
  PyErr_Clear();
}

}  // namespace

Ref Publish(PyObject* base, const std::shared_ptr<ProducerTable>& table, ProducerSlot& slot) {
  PyObject* const type = AttributeType();
  Ref value = ValueOf(slot);
  auto* attribute =
      type != nullptr && value ? PyObject_New(AttributeObject, reinterpret_cast<PyTypeObject*>(type)) : nullptr;
  if (attribute == nullptr) return Ref();
  attribute->table = new std::shared_ptr<ProducerTable>(table);
  attribute->slot = slot.slot;
  attribute->exchange = slot.exchange;
  attribute->value = value.release();
  attribute->moved = MovedOf(slot).release();
  attribute->lookups = 0;
  const Ref held = Ref::Steal(reinterpret_cast<PyObject*>(attribute));
  g_published[static_cast<size_t>(slot.slot)] = &slot;
  Ref made = Subclass(base);
  if (!made || PyObject_SetAttrString(made.get(), abi::kExchangeAttribute, held.get()) != 0) return Ref();
  Py_INCREF(made.get());  // never freed
  LeaveAlone(made.get());
  return made;
}

void Unpublish(const ProducerSlot& slot) {
  ProducerSlot*& published = g_published[static_cast<size_t>(slot.slot)];
  if (published == &slot) published = nullptr;
}

}  // namespace dlpack_cts
