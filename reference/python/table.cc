// reference/python/table.cc: imports through the C exchange table of the object's type: from_dlpack, from_exchange and
// peek.
//
// In from_dlpack a table is used if neither copy nor device is requested, because it supports neither. If the attribute
// is not a table of the supported major version, __dlpack__ is called instead. If a function fails, the import ends
// with its exception.
#include <cstdlib>
#include <memory>
#include <utility>

#include "bridge/object.h"
#include "reference/distort_import.h"
#include "reference/python/object.h"

namespace dlpack_cts {
namespace {

const Consulting& Steps() { return ActiveBehaviour().consulting; }

bool IsTable(PyObject* attribute) {
  if (PyCapsule_IsValid(attribute, abi::kExchangeName) != 0) return true;
  const Consulting& steps = Steps();
  if (steps.takes_integers && PyLong_Check(attribute)) return true;
  if (steps.trusts_attribute || !PyCapsule_CheckExact(attribute)) return steps.trusts_attribute;
  const char* name = PyCapsule_GetName(attribute);
  const std::string_view wanted = abi::kExchangeName;
  return steps.ignores_name || (steps.compares_prefix && name != nullptr && std::string_view(name).starts_with(wanted));
}

const abi::DLPackExchangeAPI* PointerOf(PyObject* attribute) {
  if (Steps().takes_integers && PyLong_Check(attribute))
    return static_cast<const abi::DLPackExchangeAPI*>(PyLong_AsVoidPtr(attribute));
  const char* name = Steps().trusts_attribute ? abi::kExchangeName : PyCapsule_GetName(attribute);
  return static_cast<const abi::DLPackExchangeAPI*>(PyCapsule_GetPointer(attribute, name));
}

bool MajorFits(const abi::DLPackVersion& version) {
  const Consulting& steps = Steps();
  if (steps.ignores_major) return true;
  return (steps.compares_low_byte ? version.major & 0xFF : version.major) == kReferenceVersion.major;
}

/// Whether the type has the attribute, even if reading it raises.
bool Declares(PyObject* type) {
  const Ref names = Ref::Steal(PyObject_GetAttrString(type, "__dict__"));
  const bool declares = names && PyMapping_HasKeyString(names.get(), abi::kExchangeAttribute) != 0;
  PyErr_Clear();
  return declares;
}

/// Follows prev_api from a table of another major version, for consumers that do so.
const abi::DLPackExchangeAPI* Older(const abi::DLPackExchangeAPIHeader* header) {
  const Consulting& steps = Steps();
  if (!steps.walks) return nullptr;
  const auto stays = [&] {
    if (steps.walks_to_end) return header->prev_api == nullptr;
    return steps.walks_one || MajorFits(header->version);
  };
  while (header != nullptr && !stays()) header = header->prev_api;
  return reinterpret_cast<const abi::DLPackExchangeAPI*>(header);
}

/// Raises, for a consumer that refuses an object instead of calling __dlpack__.
const abi::DLPackExchangeAPI* Refuse(PyObject* error, const char* why, bool* ended) {
  PyErr_SetString(error, why);
  *ended = true;
  return nullptr;
}

/// The attribute that should hold a table, or empty.
Ref LookUp(PyObject* object, PyObject* type) {
  const Consulting& steps = Steps();
  const auto on = [&steps](PyObject* owner) {
    Ref attribute = Ref::Steal(PyObject_GetAttrString(owner, abi::kExchangeAttribute));
    if (!attribute && (!steps.keeps_raised || PyErr_ExceptionMatches(PyExc_AttributeError) != 0)) PyErr_Clear();
    return attribute;
  };
  if (steps.on_object_first && !on(object)) return Ref();
  Ref attribute = on(steps.on_object ? object : type);
  return attribute || !steps.on_object_too ? std::move(attribute) : on(object);
}

/// The exchange table of the object's type; NULL if it has no table that can be used. Only a mutant, or a refusal,
/// leaves an exception.
const abi::DLPackExchangeAPI* FindTable(PyObject* object, bool* ended) {
  const Consulting& steps = Steps();
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  const Ref attribute = LookUp(object, type);
  if (!attribute && PyErr_Occurred() != nullptr) return nullptr;
  if (!attribute && Declares(type)) {
    if (steps.needs_table) return Refuse(PyExc_TypeError, "the type has no exchange table", ended);
    if (steps.keeps_missing) PyErr_SetString(PyExc_AttributeError, abi::kExchangeAttribute);
  }
  if (!attribute) return nullptr;
  if (!IsTable(attribute.get())) {
    if (steps.refuses_other) return Refuse(PyExc_TypeError, "the attribute is not an exchange table", ended);
    if (steps.keeps_error) PyErr_SetString(PyExc_ValueError, "the attribute is not an exchange table");
    return nullptr;
  }
  const abi::DLPackExchangeAPI* const table = PointerOf(attribute.get());
  // Reads only the header before the version is known.
  if (MajorFits(table->header.version)) return table;
  if (steps.refuses_major) {
    return Refuse(PyExc_BufferError, "exchange tables of this major version are not supported", ended);
  }
  return Older(table->header.prev_api);
}

/// FindTable() for a consumer that looks up each type once. It keeps the type alive, so that no other type gets its
/// address.
const abi::DLPackExchangeAPI* KeptTable(PyObject* object, bool* ended) {
  if (!Steps().caches) return FindTable(object, ended);
  auto& kept = ActingInPython().found_tables;
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  if (const auto found = kept.find(type); found != kept.end()) return found->second;
  const abi::DLPackExchangeAPI* const table = FindTable(object, ended);
  if (table == nullptr) return nullptr;
  Py_INCREF(type);
  kept.emplace(type, table);
  return table;
}

/// Calls current_work_stream for the CPU, for consumers that do so. 0: the import continues.
int AskForStream(const abi::DLPackExchangeAPI& table) {
  const Consulting& steps = Steps();
  void* stream = nullptr;
  if (!steps.asks_stream || table.current_work_stream(abi::kDLCPU, 0, &stream) == 0) return 0;
  if (steps.needs_stream) return -1;
  if (!steps.keeps_stream_error) PyErr_Clear();
  return 0;
}

/// The SetError callback of the allocator. It may be called with or without the GIL.
void ReportAllocation(void*, const char*, const char*) {
  const Consulting& steps = Steps();
  if (steps.reports_without_gil) PyErr_SetString(PyExc_MemoryError, "the table allocates nothing");
  if (steps.looks_without_gil) (void)PyErr_Occurred();
  const PyGILState_STATE state = PyGILState_Ensure();
  PyErr_Clear();
  PyGILState_Release(state);
}

/// Calls managed_tensor_allocator, for consumers that do not need the result.
void AskForMemory(const abi::DLPackExchangeAPI& table) {
  if (!Steps().allocates) return;
  int64_t shape[] = {2};
  abi::DLTensor prototype{};
  prototype.device = {abi::kDLCPU, 0};
  prototype.ndim = 1;
  prototype.dtype = {abi::kDLFloat, 32, 1};
  prototype.shape = shape;
  abi::DLManagedTensorVersioned* memory = nullptr;
  const int status = table.managed_tensor_allocator(&prototype, &memory, nullptr, &ReportAllocation);
  if (status == 0 && Steps().trusts_memory) (void)*const_cast<volatile uint64_t*>(&memory->flags);
  if (status == 0 && memory != nullptr) ReleaseManaged(true, memory);
}

/// The table that a changed consumer uses instead.
const abi::DLPackExchangeAPI* Distorted(const abi::DLPackExchangeAPI* table) {
  const Consulting& steps = Steps();
  PythonReference& instance = ActingInPython();
  const bool keeps = steps.one_table || (steps.one_table_for_second && instance.exchanges % 2 == 0);
  if (instance.first_table == nullptr || !keeps) instance.first_table = table;
  if (steps.writes_table) const_cast<abi::DLPackExchangeAPI*>(table)->header.prev_api = nullptr;
  if (steps.frees_table) std::free(const_cast<abi::DLPackExchangeAPI*>(table));
  return keeps ? instance.first_table : table;
}

/// Runs `work`, without the GIL if a changed consumer drops it.
template <typename Work>
int Calling(bool drops_gil, const Work& work) {
  if (!drops_gil) return work();
  PyThreadState* const state = PyEval_SaveThread();
  const int status = work();
  PyEval_RestoreThread(state);
  return status;
}

/// The status of a call. If it failed without an exception, the consumer raises one.
int Answered(int status) {
  const bool silent = status != 0 && PyErr_Occurred() == nullptr;
  if (silent && Steps().goes_by_error) return 0;
  if (silent) PyErr_SetString(PyExc_BufferError, "the exchange table failed without an exception");
  return status;
}

/// Borrows a DLTensor first, because a tensor on another device need not be imported. 0: it may be imported.
int LookAt(PyObject* object, const abi::DLPackExchangeAPI& table, abi::DLTensor* view, bool blindly) {
  const Consulting& steps = Steps();
  const bool null = table.dltensor_from_py_object_no_sync == nullptr && !steps.calls_null_view && !blindly;
  if (null && steps.needs_view) {
    PyErr_SetString(PyExc_BufferError, "the exchange table has no views");
    return -1;
  }
  if (null || steps.never_views) return 0;
  const auto look = [&] {
    return table.dltensor_from_py_object_no_sync(object, view);  // NOLINT(clang-analyzer-core.CallAndMessage): a mutant
  };
  const int status = Answered(Calling(steps.drops_gil_for_view, look));
  if (status != 0) {
    if (steps.uses_failed || steps.uses_failed_view) (void)*const_cast<volatile int64_t*>(view->shape);
    return status;
  }
  if (steps.trusts_view && view->device.device_type == 0) (void)*const_cast<volatile int64_t*>(view->shape);
  if (view->device.device_type == abi::kDLCPU) return 0;
  if (TakesDevice(ActiveBehaviour().importing, view->device, -1, Occasion{})) return 0;
  PyErr_SetString(PyExc_BufferError, "only tensors on the CPU are supported");
  return -1;
}

PyObject* TakeTensor(abi::DLManagedTensorVersioned* tensor, ImportOptions options) {
  if (tensor == nullptr && !Steps().trusts_tensor) {
    PyErr_SetString(PyExc_BufferError, "the exchange table returned no tensor");
    return nullptr;
  }
  MajorCheck& check = Acting::Now().behaviour.importing.major_check;
  const MajorCheck usual = check;
  if (Steps().ignores_tensor_major) check = MajorCheck::kNone;
  const Denial denial = CheckManaged(true, tensor, options);
  check = usual;
  if (denial) {
    if (!Steps().keeps_refused) ReleaseManaged(true, tensor);
    RaiseDenial(denial, ErrorClass::kRight);
    return nullptr;
  }
  return WrapArray(TakeManaged(true, tensor, options));
}

/// Reads fields of a borrowed DLTensor after it became invalid, as mutants do.
void ReadAgain(const abi::DLTensor& view) {
  const Consulting& steps = Steps();
  if (steps.keeps_view && view.shape != nullptr) (void)*const_cast<volatile int64_t*>(view.shape);
  if (steps.keeps_strides && view.strides != nullptr) (void)*const_cast<volatile int64_t*>(view.strides);
}

/// Copies from the borrowed DLTensor for copy=True. NULL without an exception if the table cannot lend one.
PyObject* CopyView(PyObject* object, const abi::DLPackExchangeAPI& table, ImportOptions options, bool* ended) {
  if (table.dltensor_from_py_object_no_sync == nullptr) return nullptr;
  *ended = true;
  auto lent = std::make_unique<abi::DLManagedTensorVersioned>();
  lent->version = {1, 3};
  lent->deleter = [](abi::DLManagedTensorVersioned* self) { delete self; };
  if (Answered(table.dltensor_from_py_object_no_sync(object, &lent->dl_tensor)) != 0) return nullptr;
  if (Steps().keeps_copied_view) options.copy = -1;
  return TakeTensor(lent.release(), options);
}

PyObject* Take(PyObject* object, ImportOptions options, bool* ended) {
  const Consulting& steps = Steps();
  const bool views = options.copy == 1 && steps.copies_views;
  const bool copied_there = options.copy == 1 && (steps.copies_blindly || steps.copies_past_failure);
  const bool copies = options.copy >= 0 && !steps.forgets_copy && !copied_there && !views;
  const bool moves = options.has_device && !steps.forgets_device;
  if (steps.never || copies || moves || IsReferenceArray(object)) return nullptr;
  const abi::DLPackExchangeAPI* const table = KeptTable(object, ended);
  if (table == nullptr) return nullptr;
  if (steps.looks_up_twice && FindTable(object, ended) != table) std::abort();
  const abi::DLPackExchangeAPI& used = *Distorted(table);
  if (steps.refused_minor != 0 && used.header.version.minor >= steps.refused_minor) {
    *ended = true;
    PyErr_SetString(PyExc_BufferError, "exchange tables of this minor version are not supported");
    return nullptr;
  }
  options.arrival |= kByGivenTable;
  if (used.header.version.minor > kReferenceVersion.minor) options.arrival |= kByNewerTable;
  if (views) return CopyView(object, used, options, ended);
  if (steps.forgets_copy) options.copy = -1;
  if (steps.forgets_device) options.has_device = false;
  abi::DLTensor view{};
  abi::DLManagedTensorVersioned* tensor = nullptr;
  AskForMemory(used);
  int status = AskForStream(used);
  if (status == 0) status = LookAt(object, used, &view, copied_there && steps.copies_blindly);
  if (copied_there && steps.copies_past_failure) status = 0;
  if (status == 0) {
    status =
        Answered(Calling(steps.drops_gil, [&] { return used.managed_tensor_from_py_object_no_sync(object, &tensor); }));
    if (status != 0 && steps.uses_failed) (void)*const_cast<volatile uint64_t*>(&tensor->flags);
  }
  *ended = status == 0 || !(steps.falls_back || steps.swallows_failure);
  if (status != 0 && steps.falls_back) PyErr_Clear();
  if (status != 0) return nullptr;
  ReadAgain(view);
  return TakeTensor(tensor, options);
}

/// The entry of the library that an object is passed to.
enum class TableEntry { kFromDlpack, kFromExchange, kPeek };

/// While it exists, fields of the behaviour that are about another entry have their defaults.
class OfEntry {
 public:
  explicit OfEntry(TableEntry entry) : steps_(Acting::Now().behaviour.consulting), kept_(steps_) {
    Consulting here = kept_;
    if (entry != TableEntry::kFromDlpack) here.never = false;
    const bool other = kept_.own_entry_only != (entry != TableEntry::kFromDlpack);
    if (other && entry != TableEntry::kFromExchange) {
      here = {};
      here.never = entry == TableEntry::kFromDlpack && kept_.never;
      here.tables_only = kept_.tables_only;
      here.peek_owns = kept_.peek_owns;
      here.peek_leaks = kept_.peek_leaks;
      here.peek_releases_twice = kept_.peek_releases_twice;
      here.peek_keeps_view = kept_.peek_keeps_view;
      here.peek_frees_shape = kept_.peek_frees_shape;
      here.peek_forgets_strides = kept_.peek_forgets_strides;
      here.peek_forgets_offset = kept_.peek_forgets_offset;
    }
    changed_ = here != kept_;
    if (changed_) steps_ = here;
  }
  ~OfEntry() {
    if (changed_) steps_ = kept_;
  }
  OfEntry(const OfEntry&) = delete;
  OfEntry& operator=(const OfEntry&) = delete;

 private:
  Consulting& steps_;
  const Consulting kept_;
  bool changed_ = false;
};

/// Reads the metadata of an object with an owned tensor.
PyObject* PeekOwned(PyObject* object, const abi::DLPackExchangeAPI& table) {
  abi::DLManagedTensorVersioned* tensor = nullptr;
  if (Answered(table.managed_tensor_from_py_object_no_sync(object, &tensor)) != 0) return nullptr;
  if (tensor == nullptr) {
    PyErr_SetString(PyExc_BufferError, "the exchange table returned no tensor");
    return nullptr;
  }
  const Denial denial = CheckManaged(true, tensor, ImportOptions{.arrival = kByPeek});
  PyObject* const array =
      denial ? nullptr : WrapArray(TakeManaged(true, tensor, ImportOptions{.borrows = true, .arrival = kByPeek}));
  if (denial) RaiseDenial(denial, ErrorClass::kRight);
  if (!Steps().peek_leaks) ReleaseManaged(true, tensor);
  if (Steps().peek_releases_twice) ReleaseManaged(true, tensor);
  return array;
}

/// Reads it with a view, whose shape and strides are valid until the next call of the table.
PyObject* PeekView(PyObject* object, const abi::DLPackExchangeAPI& table) {
  const Consulting& steps = Steps();
  abi::DLManagedTensorVersioned lent{};
  lent.version = kReferenceVersion;
  abi::DLTensor& view = lent.dl_tensor;
  const int status = Answered(table.dltensor_from_py_object_no_sync(object, &view));
  if (status != 0 && (steps.uses_failed || steps.uses_failed_view)) (void)*const_cast<volatile int64_t*>(view.shape);
  if (status != 0) return nullptr;
  if (steps.peek_keeps_view) {
    abi::DLManagedTensorVersioned* tensor = nullptr;
    if (Answered(table.managed_tensor_from_py_object_no_sync(object, &tensor)) != 0) return nullptr;
    if (view.shape != nullptr) (void)*const_cast<volatile int64_t*>(view.shape);
    if (tensor != nullptr) ReleaseManaged(true, tensor);
  }
  if (steps.peek_forgets_strides) view.strides = nullptr;
  if (steps.peek_forgets_offset) view.byte_offset = 0;
  if (view.device.device_type == 0) {
    PyErr_SetString(PyExc_BufferError, "the exchange table returned no view");
    return nullptr;
  }
  const Denial denial = CheckManaged(true, &lent, ImportOptions{.arrival = kByPeek});
  PyObject* const array =
      denial ? nullptr : WrapArray(TakeManaged(true, &lent, ImportOptions{.borrows = true, .arrival = kByPeek}));
  if (denial) RaiseDenial(denial, ErrorClass::kRight);
  if (steps.peek_frees_shape) std::free(view.shape);
  return array;
}

}  // namespace

PyObject* TakeThroughTable(PyObject* object, const ImportOptions& options, bool* ended) {
  const OfEntry entry(TableEntry::kFromDlpack);
  return Take(object, options, ended);
}

PyObject* ReferenceFromExchange(PyObject*, PyObject* object) {
  const OfEntry entry(TableEntry::kFromExchange);
  ++Acting::Now().exchanges;
  bool ended = false;
  PyObject* const taken = Take(object, ImportOptions{}, &ended);
  if (!ended && PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "the type has no exchange table");
  return taken;
}

PyObject* PeekByTable(PyObject* object) {
  const OfEntry entry(TableEntry::kPeek);
  ++Acting::Now().exchanges;
  bool ended = false;
  const abi::DLPackExchangeAPI* const table = FindTable(object, &ended);
  if (table == nullptr) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "the type has no exchange table");
    return nullptr;
  }
  const Consulting& steps = Steps();
  const bool owns = steps.peek_owns || steps.peek_leaks || steps.peek_releases_twice;
  const bool null = table->dltensor_from_py_object_no_sync == nullptr && !steps.calls_null_view;
  return owns || null ? PeekOwned(object, *table) : PeekView(object, *table);
}

}  // namespace dlpack_cts
