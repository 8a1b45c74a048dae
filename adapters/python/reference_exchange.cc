// adapters/python/reference_exchange.cc: the C exchange API of the reference's Python type, in both flavours.
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "adapters/python/reference_object.h"

namespace dlpack_cts {
namespace {

int Allocate(abi::DLTensor* prototype, abi::DLManagedTensorVersioned** out, void* error_ctx,
             void (*set_error)(void*, const char*, const char*)) {
  const int64_t item = ItemSize(prototype->dtype);
  if (prototype->device.device_type != abi::kDLCPU || prototype->ndim < 0 || prototype->ndim > kMaxDims || item <= 0) {
    set_error(error_ctx, "BufferError", "the reference allocates no such tensor");
    return -1;
  }
  // A tensor without data of the prototype's shape is a good argument of CopyArray() only when it is empty.
  Array shape;
  shape.dtype = prototype->dtype;
  shape.ndim = prototype->ndim;
  int64_t bytes = item;
  for (int d = 0; d < shape.ndim; ++d) {
    shape.shape[d] = prototype->shape[d];
    shape.steps[d] = 0;
    if (shape.shape[d] < 0 || __builtin_mul_overflow(bytes, shape.shape[d], &bytes)) {
      set_error(error_ctx, "MemoryError", "the tensor is larger than memory");
      return -1;
    }
  }
  // One zero element, repeated along every dimension, is what a fresh tensor holds.
  const std::vector<uint8_t> zero(static_cast<size_t>(item));
  shape.first = const_cast<uint8_t*>(zero.data());
  std::unique_ptr<Array> fresh;
  try {
    fresh = CopyArray(shape);
  } catch (const std::bad_alloc&) {
    set_error(error_ctx, "MemoryError", "the tensor is larger than memory");
    return -1;
  }
  ExportOptions options;
  options.version = ActiveBehaviour().exporting.version;
  Denial denial;
  *out = static_cast<abi::DLManagedTensorVersioned*>(ExportManaged(*fresh, options, &denial));
  if (*out != nullptr && ActiveBehaviour().table.keeps_prototype) (*out)->dl_tensor.shape = prototype->shape;
  if (*out != nullptr) return 0;
  set_error(error_ctx, "BufferError", denial.text);
  return -1;
}

int FromObject(void* object, abi::DLManagedTensorVersioned** out) {
  auto* self = static_cast<PyObject*>(object);
  Array* array = ArrayOf(self);
  if (array == nullptr) return -1;
  ExportOptions options;
  options.version = ActiveBehaviour().exporting.version;
  options.keeper = KeepObject(self);
  Denial denial;
  *out = static_cast<abi::DLManagedTensorVersioned*>(ExportManaged(*array, options, &denial));
  if (*out != nullptr) return 0;
  RaiseDenial(denial, ErrorClass::kRight);
  return -1;
}

/// On failure the tensor stays the caller's, as long as its major is known.
int ToObject(abi::DLManagedTensorVersioned* tensor, void** out) {
  const Denial denial = CheckManaged(true, tensor, ImportOptions{});
  if (denial) {
    RaiseDenial(denial, ErrorClass::kRight);
    return -1;
  }
  *out = WrapArray(TakeManaged(true, tensor, ImportOptions{}));
  return *out != nullptr ? 0 : -1;
}

int ViewOfObject(void* object, abi::DLTensor* out) {
  if (ActiveBehaviour().table.wrong_slot) {
    return FromObject(object, reinterpret_cast<abi::DLManagedTensorVersioned**>(out));
  }
  Array* array = ArrayOf(static_cast<PyObject*>(object));
  if (array == nullptr) return -1;
  for (int d = 0; d < array->ndim; ++d) array->live_strides[d] = array->steps[d] / array->ItemSize();
  *out = {array->first, {abi::kDLCPU, 0}, array->ndim, array->dtype, array->shape, array->live_strides, 0};
  return 0;
}

int WorkStream(int32_t device_type, int32_t, void** out) {
  if (device_type != abi::kDLCPU) {
    PyErr_SetString(PyExc_BufferError, "the reference works on the CPU only");
    return -1;
  }
  *out = nullptr;
  return 0;
}

int Deny(abi::DLTensor*, abi::DLManagedTensorVersioned**, void* error_ctx,
         void (*set_error)(void*, const char*, const char*)) {
  set_error(error_ctx, "NotImplementedError", "not yet");
  return -1;
}

template <typename... Arguments>
int Deny(Arguments...) {
  PyErr_SetString(PyExc_NotImplementedError, "not yet");
  return -1;
}

/// The functions know no context, so that each instance has a copy of its own.
template <size_t kNumber>
struct Functions {
  template <auto kFunction, typename... Arguments>
  static int Call(Arguments... arguments) {
    const Acting acting(PythonReferenceOf(kNumber));
    if (ActiveBehaviour().table.serves_nothing) return Deny(arguments...);
    return kFunction(arguments...);
  }

  static abi::DLPackExchangeAPI Table() {
    return {{kReferenceVersion, nullptr}, Call<Allocate>,  Call<FromObject>, Call<ToObject>,
            Call<ViewOfObject>,           Call<WorkStream>};
  }
};

template <size_t... kNumbers>
abi::DLPackExchangeAPI TableOf(int number, std::index_sequence<kNumbers...>) {
  constexpr abi::DLPackExchangeAPI (*kTables[])() = {Functions<kNumbers>::Table...};
  return kTables[number]();
}

}  // namespace

void MakeExchangeTable(PythonReference& instance) {
  instance.api = TableOf(instance.number, std::make_index_sequence<kPythonReferences>());
}

}  // namespace dlpack_cts
