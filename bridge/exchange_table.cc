// bridge/exchange_table.cc: the C exchange API that the type of a library's arrays publishes.
#include "bridge/exchange_table.h"

#include <algorithm>
#include <cstring>

namespace dlpack_cts {
namespace {

constexpr int kChainSteps = 64;

template <typename T>
T* Poison() {
  return reinterpret_cast<T*>(uintptr_t{0x5A5A5A50});
}

/// What a function of the table may write, and the memory behind it, which it may not.
template <typename T>
struct Out {
  static constexpr uint64_t kGuard = 0xA7A7A7A7A7A7A7A7u;

  explicit Out(T before) : value(before) { std::fill_n(behind, kWords, kGuard); }
  bool Overran() const { return std::count(behind, behind + kWords, kGuard) != kWords; }

  T value;

 private:
  static constexpr int kWords = 4;
  uint64_t behind[kWords];
};

/// The pointer that the type publishes in that attribute, or NULL. `attribute` gets the capsule or int that holds it.
const void* Lookup(PyObject* type, const char* name, Published* how, Ref& attribute) {
  attribute = Ref::Steal(PyObject_GetAttrString(type, name));
  const void* table = nullptr;
  if (!attribute) {
    *how = Published::kNot;
  } else if (PyCapsule_CheckExact(attribute.get())) {
    const bool named = PyCapsule_IsValid(attribute.get(), abi::kExchangeName) != 0;
    *how = named ? Published::kCapsule : Published::kMisnamedCapsule;
    if (named) table = PyCapsule_GetPointer(attribute.get(), abi::kExchangeName);
  } else if (PyLong_Check(attribute.get())) {
    *how = Published::kInt;
    table = PyLong_AsVoidPtr(attribute.get());
  } else {
    *how = Published::kOther;
  }
  PyErr_Clear();
  return table;
}

/// Whether the array has the capsule. For an array type that does not: nothing is published then.
bool IsOnObject(PyObject* array) {
  const Ref attribute = Ref::Steal(PyObject_GetAttrString(array, abi::kExchangeAttribute));
  PyErr_Clear();
  return attribute && PyCapsule_CheckExact(attribute.get()) &&
         PyCapsule_IsValid(attribute.get(), abi::kExchangeName) != 0;
}

bool Later(const abi::DLPackVersion& a, const abi::DLPackVersion& b) {
  return a.major != b.major ? a.major > b.major : a.minor > b.minor;
}

bool IsReadable(const void* address, size_t size) {
  return Forge::IsReadable(reinterpret_cast<uint64_t>(address), size);
}

/// Follows prev_api. Reads only memory that the kernel says is readable.
void WalkChain(const abi::DLPackExchangeAPIHeader* header, TableLedger& table) {
  while (table.chain_length < kChainSteps) {
    const abi::DLPackExchangeAPIHeader* older = header->prev_api;
    table.chain_ends = older == nullptr;
    if (older == nullptr || !IsReadable(older, sizeof(*older))) return;
    if (Later(older->version, header->version)) table.chain_ascends = 1;
    ++table.chain_length;
    header = older;
  }
}

uint8_t NullSlots(const abi::DLPackExchangeAPI& api) {
  const auto bit = [](bool null, TableFunction function) { return null ? 1 << static_cast<int>(function) : 0; };
  return static_cast<uint8_t>(bit(api.managed_tensor_allocator == nullptr, TableFunction::kAllocator) |
                              bit(api.managed_tensor_from_py_object_no_sync == nullptr, TableFunction::kFromObject) |
                              bit(api.managed_tensor_to_py_object_no_sync == nullptr, TableFunction::kToObject) |
                              bit(api.dltensor_from_py_object_no_sync == nullptr, TableFunction::kView) |
                              bit(api.current_work_stream == nullptr, TableFunction::kStream));
}

/// A failure without an exception, or a success without a result. The allocator reports its failure with SetError.
bool ContradictsItself(const TableCall& call, TableFunction function) {
  if (call.status == 0) return call.out_written == 0;
  return call.exception == 0 && function != TableFunction::kAllocator;
}

/// Records how a call ended. `outcome` is kRefused for any status except 0. Takes a pending exception in any case.
template <typename T>
void Finish(TableLedger& table, TableFunction function, int status, bool out_written, const Out<T>& out,
            Refusal& refusal) {
  TableCall& call = table.calls[static_cast<size_t>(function)];
  const uint8_t overran = call.overran != 0 || out.Overran();
  const TableCall latest = {1, PyErr_Occurred() != nullptr, out_written, 0, status};
  // The record of a contradicting call is kept; later calls do not overwrite it.
  if (call.called == 0 || !ContradictsItself(call, function)) call = latest;
  call.overran = overran;
  if (PyErr_Occurred() != nullptr) TakeException(refusal, false);
  refusal.outcome = status == 0 ? Outcome::kAccepted : Outcome::kRefused;
}

bool Missing(const TableLedger& table, TableFunction function, Refusal& refusal) {
  if ((table.null_slots >> static_cast<int>(function) & 1) == 0) return false;
  refusal.outcome = Outcome::kUnsupported;
  refusal.message.Set("this function of the table is NULL");
  return true;
}

/// SetError is a C function without closure. Its context must come back unchanged, so it cannot carry the ledger.
thread_local TableLedger* g_allocation = nullptr;

void SetError(void* context, const char* kind, const char* message) {
  TableLedger* table = g_allocation;
  if (table == nullptr) return;
  ++table->set_errors;
  if (context != static_cast<void*>(table)) table->error_context_wrong = 1;
  if (kind == nullptr || message == nullptr) table->error_text_missing = 1;
  if (kind != nullptr) table->error_kind.Set(kind);
  if (message != nullptr) table->error_message.Set(message);
}

}  // namespace

void PythonTable::Find(Handle array, TableLedger& table) {
  const Ref type = Ref::Steal(PyObject_Type(static_cast<PyObject*>(array)));
  const bool again = table.looked != 0;
  // Each type may have its own table: only look-ups on the same type must agree.
  if (again && type.get() != type_.get()) return;
  Published current;
  Published older;
  Ref held[2];
  const void* now = Lookup(type.get(), abi::kExchangeAttribute, &current, held[0]);
  const void* then = Lookup(type.get(), abi::kExchangeAttribute12, &older, held[1]);
  // The table has to outlive its capsule.
  const auto let_go = [&held] {
    for (Ref& one : held) one = Ref();
  };
  if (current == Published::kNot && IsOnObject(static_cast<PyObject*>(array))) current = Published::kOnObject;
  const auto* api = static_cast<const abi::DLPackExchangeAPI*>(now != nullptr ? now : then);
  const Forge::Looking looking;
  if (again) {
    let_go();
    if (reinterpret_cast<uint64_t>(api) != table.address) table.moved = 1;
    const bool readable = api_ != nullptr && IsReadable(api_, sizeof(*api_));
    if (table.found && (!readable || std::memcmp(api_, &copy_, sizeof(copy_)) != 0)) table.changed = 1;
    return;
  }
  type_ = Ref::Borrow(type.get());
  table.looked = 1;
  table.current = current;
  table.older = older;
  table.names_differ = now != nullptr && then != nullptr && now != then;
  table.address = reinterpret_cast<uint64_t>(api);
  if (api == nullptr || !IsReadable(api, sizeof(api->header))) return;
  table.version = api->header.version;
  WalkChain(&api->header, table);
  if (api->header.version.major != 1 || !IsReadable(api, sizeof(*api))) return;
  table.readable = table.found = 1;
  table.null_slots = NullSlots(*api);
  api_ = api;
  std::memcpy(&copy_, api, sizeof(copy_));
  let_go();
  if (IsReadable(api, sizeof(*api)) && std::memcmp(api, &copy_, sizeof(copy_)) == 0) return;
  table.changed = 1;
  table.readable = table.found = 0;
  api_ = nullptr;
}

abi::DLManagedTensorVersioned* PythonTable::Export(Handle array, TableLedger& table, Refusal& refusal) {
  if (Missing(table, TableFunction::kFromObject, refusal)) return nullptr;
  Out out(Poison<abi::DLManagedTensorVersioned>());
  const int status = api_->managed_tensor_from_py_object_no_sync(array, &out.value);
  const bool written = out.value != Poison<abi::DLManagedTensorVersioned>() && out.value != nullptr;
  Finish(table, TableFunction::kFromObject, status, written, out, refusal);
  return status == 0 && written ? out.value : nullptr;
}

Handle PythonTable::Import(abi::DLManagedTensorVersioned* tensor, TableLedger& table, Refusal& refusal) {
  if (Missing(table, TableFunction::kToObject, refusal)) return nullptr;
  Out out(Poison<void>());
  const int status = api_->managed_tensor_to_py_object_no_sync(tensor, &out.value);
  const bool written = out.value != Poison<void>() && out.value != nullptr;
  Finish(table, TableFunction::kToObject, status, written, out, refusal);
  if (status != 0 || !written) return nullptr;
  table.object_is_foreign = PyObject_IsInstance(static_cast<PyObject*>(out.value), type_.get()) != 1;
  PyErr_Clear();
  return out.value;
}

void PythonTable::Misuse(TableFunction function, Passed passed, Handle array, TableLedger& table, Refusal& refusal) {
  if (Missing(table, function, refusal)) return;
  Ref object;
  switch (passed) {
    case Passed::kInteger:
      object = Ref::Steal(PyLong_FromLong(7));
      break;
    case Passed::kNone:
      object = Ref::Borrow(Py_None);
      break;
    case Passed::kObject:
      object = Ref::Steal(PyObject_CallObject(reinterpret_cast<PyObject*>(&PyBaseObject_Type), nullptr));
      break;
    default:
      object = Ref::Steal(PyObject_Type(static_cast<PyObject*>(array)));
      break;
  }
  if (function == TableFunction::kView) {
    abi::DLTensor poison;
    std::memset(&poison, 0x5A, sizeof(poison));
    Out out(poison);
    const int status = api_->dltensor_from_py_object_no_sync(object.get(), &out.value);
    Finish(table, function, status, std::memcmp(&out.value, &poison, sizeof(poison)) != 0, out, refusal);
    return;
  }
  Out out(Poison<abi::DLManagedTensorVersioned>());
  const int status = api_->managed_tensor_from_py_object_no_sync(object.get(), &out.value);
  Finish(table, function, status, out.value != Poison<abi::DLManagedTensorVersioned>(), out, refusal);
}

bool PythonTable::View(Handle array, abi::DLTensor* view, TableLedger& table, Refusal& refusal) {
  if (Missing(table, TableFunction::kView, refusal)) return false;
  abi::DLTensor poison;
  std::memset(&poison, 0x5A, sizeof(poison));
  Out out(poison);
  const int status = api_->dltensor_from_py_object_no_sync(array, &out.value);
  const bool written = std::memcmp(&out.value, &poison, sizeof(poison)) != 0;
  Finish(table, TableFunction::kView, status, written, out, refusal);
  *view = out.value;
  return status == 0 && written;
}

abi::DLManagedTensorVersioned* PythonTable::Allocate(abi::DLTensor* prototype, TableLedger& table, Refusal& refusal) {
  if (Missing(table, TableFunction::kAllocator, refusal)) return nullptr;
  table.set_errors = 0;
  g_allocation = &table;
  Out out(Poison<abi::DLManagedTensorVersioned>());
  const int status = api_->managed_tensor_allocator(prototype, &out.value, &table, &SetError);
  g_allocation = nullptr;
  const bool written = out.value != Poison<abi::DLManagedTensorVersioned>() && out.value != nullptr;
  Finish(table, TableFunction::kAllocator, status, written, out, refusal);
  if (status != 0 && refusal.message.empty()) {
    refusal.type.Set(table.error_kind.view());
    refusal.message.Set(table.error_message.view());
  }
  return status == 0 && written ? out.value : nullptr;
}

void PythonTable::Stream(abi::DLDevice device, TableLedger& table) {
  Refusal refusal{};
  if (Missing(table, TableFunction::kStream, refusal)) return;
  // Two different poison values, because one of them could be the returned handle.
  Out first(Poison<void>());
  Out second(reinterpret_cast<void*>(uintptr_t{0x25252520}));
  const int status = api_->current_work_stream(device.device_type, device.device_id, &first.value);
  const bool pending = PyErr_Occurred() != nullptr;
  bool written = first.value != Poison<void>();
  if (status == 0 && !pending && !written) {
    (void)api_->current_work_stream(device.device_type, device.device_id, &second.value);
    written = second.value == Poison<void>();
  }
  if (written) table.stream = reinterpret_cast<uint64_t>(first.value);
  Finish(table, TableFunction::kStream, status, written, first, refusal);
}

}  // namespace dlpack_cts
