// adapters/torch-native/plugin.cc: at::Tensor of libtorch as producer and consumer (ATen/DLConvertor.h), on the CPU.
#include <ATen/ATen.h>
#include <ATen/DLConvertor.h>
#include <ATen/Parallel.h>
#include <torch/headeronly/version.h>

#include <algorithm>

#include "../torch-native/counting_allocator.h"
#include "native.h"

namespace {

using at::Tensor;
using dlpack_cts::native::Refused;
using dlpack_cts::native::Unsupported;

Tensor& Of(dlpack_cts_array array) { return *static_cast<Tensor*>(array); }

/// Exceptions of the library, without their backtraces, are `Meaning`.
template <typename Meaning, typename Function>
int Guarded(dlpack_cts_error* error, Function function) {
  return dlpack_cts::native::Guarded(error, [&] {
    try {
      function();
    } catch (const c10::Error& failure) {
      throw Meaning(failure.what_without_backtrace());
    }
  });
}

/// As in torch/csrc/utils/tensor_new.cpp, the struct stays with the caller if the import throws.
template <typename Managed>
Tensor Take(Tensor (*import)(Managed*, std::function<void(void*)>), void* managed) {
  auto* source = static_cast<Managed*>(managed);
  const auto deleter = source->deleter;
  try {
    return import(source, {});
  } catch (...) {
    if (deleter != nullptr) deleter(source);
    throw;
  }
}

int Import(void*, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] {
    dlpack_cts::native::RefuseOptions(managed, *options);
    *array =
        new Tensor(options->versioned != 0 ? Take(&at::fromDLPackVersioned, managed) : Take(&at::fromDLPack, managed));
  });
}

Tensor Odd(int32_t oddity, const Tensor& tensor) {
  switch (oddity) {
    case DLPACK_CTS_PLAIN:
      return tensor;
    // The same values, with the conjugate or the negative bit set.
    case DLPACK_CTS_CONJUGATE:
      return at::conj(at::conj_physical(tensor));
    case DLPACK_CTS_NEGATED:
      return at::_neg_view(at::neg(tensor));
    case DLPACK_CTS_ZEROS:
      return at::_efficientzerotensor(tensor.sizes(), tensor.options());
    case DLPACK_CTS_SPARSE:
      return tensor.to_sparse();
    case DLPACK_CTS_REQUIRES_GRAD:
      return tensor.detach().requires_grad_();
    case DLPACK_CTS_META:
      return tensor.to(at::kMeta);
    case DLPACK_CTS_QUANTIZED:
      return at::quantize_per_tensor(tensor, 0.5, 0, at::kQInt8);
    default:
      throw Unsupported("PyTorch has no such tensors");
  }
}

int Make(void*, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  return Guarded<Unsupported>(error, [&] {
    if (request->read_only != 0) throw Unsupported("PyTorch has no read-only tensors");
    if (dlpack_cts::native::ItemSize(request->dtype) == 0) throw Unsupported("the elements share bytes");
    const auto type = at::toScalarType({request->dtype.code, request->dtype.bits, request->dtype.lanes});
    const bool lazy = request->oddity == DLPACK_CTS_CONJUGATE || request->oddity == DLPACK_CTS_NEGATED;
    if (lazy && !c10::isComplexType(type)) throw Unsupported("only complex tensors are lazily conjugated or negated");
    Tensor bytes = at::empty({static_cast<int64_t>(request->backing_size)}, at::kByte);
    if (request->backing_size > 0) std::memcpy(bytes.data_ptr(), request->backing, request->backing_size);
    const auto dims = static_cast<size_t>(request->ndim);
    Tensor tensor = at::as_strided(bytes.view(type), {request->shape, dims}, {request->strides, dims}, request->offset);
    if (request->making == DLPACK_CTS_FRESH && tensor.is_contiguous()) tensor = tensor.clone();
    *array = new Tensor(Odd(request->oddity, tensor));
  });
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] {
    if (options->copy == 1) throw Unsupported("the exports do not copy");
    if (options->versioned != 0) {
      *managed = at::toDLPackVersioned(Of(array));
    } else {
      *managed = at::toDLPack(Of(array));
    }
  });
}

int Describe(dlpack_cts_array array, dlpack_cts_description* told, dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] {
    const Tensor& tensor = Of(array);
    told->ndim = static_cast<int32_t>(tensor.dim());
    const auto dims = static_cast<size_t>(std::min(told->ndim, DLPACK_CTS_MAX_DIMS));
    std::copy_n(tensor.sizes().begin(), dims, told->shape);
    if (tensor.layout() != at::kStrided || tensor.is_quantized() || !tensor.is_cpu()) return;
    DLTensor seen = {};
    at::toDLPackNonOwning(tensor, &seen);
    dlpack_cts::native::SetData(told, seen.data);
    told->dtype = {seen.dtype.code, seen.dtype.bits, seen.dtype.lanes};
    told->device = {static_cast<int32_t>(seen.device.device_type), seen.device.device_id};
    told->has_strides = 1;
    for (size_t d = 0; d < dims; ++d) told->byte_strides[d] = seen.strides[d] * tensor.element_size();
  });
}

int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) try {
  const Tensor resolved = Of(array).detach().resolve_conj().resolve_neg();
  // A tensor of zeros without storage stays one in contiguous().
  const Tensor flat =
      resolved._is_zerotensor() ? at::zeros(resolved.sizes(), resolved.options()) : resolved.contiguous();
  if (flat.nbytes() > 0) std::memcpy(out, flat.data_ptr(), std::min(capacity, flat.nbytes()));
  return static_cast<int64_t>(flat.nbytes());
} catch (const std::exception&) {
  return -1;
}

int Write(dlpack_cts_array array, int64_t index, const uint8_t* bits, size_t size, dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] {
    Tensor element = Of(array);
    const Tensor value = at::empty({static_cast<int64_t>(size)}, at::kByte);
    std::memcpy(value.data_ptr(), bits, size);
    while (element.dim() > 0) {
      const int64_t last = element.size(-1);
      element = element.select(-1, index % last);
      index /= last;
    }
    element.copy_(value.view(element.scalar_type())[0]);
  });
}

int View(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] { *result = new Tensor(Of(array).view_as(Of(array))); });
}

/// maybeCopyTensor() copies before an export. It makes a tensor of its own, so a copy is judged as such.
int Compute(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] { *result = new Tensor(at::maybeCopyTensor(Of(array), {}, true)); });
}

int Change(dlpack_cts_array array, int32_t how, dlpack_cts_error* error) {
  return Guarded<Refused>(error, [&] {
    Tensor& tensor = Of(array);
    if (how == DLPACK_CTS_RESHAPE) tensor.unsqueeze_(0);
    if (how == DLPACK_CTS_TRANSPOSE) tensor.transpose_(0, tensor.dim() - 1);
    if (how == DLPACK_CTS_RESIZE) tensor.resize_({tensor.numel() + 1});
  });
}

dlpack_cts_plugin_table Table() {
  at::set_num_threads(1);
  static dlpack_cts::native::CountingAllocator allocator;
  c10::SetCPUAllocator(&allocator, /*priority=*/1);
  dlpack_cts_plugin_table table = {};
  table.abi = DLPACK_CTS_PLUGIN_ABI;
  table.size = sizeof(table);
  table.name = [] { return "torch-native"; };
  table.version = [] { return TORCH_VERSION; };
  table.import_tensor = Import;
  table.make = Make;
  table.export_tensor = Export;
  table.describe = Describe;
  table.values = Values;
  table.drop = [](dlpack_cts_array array) { delete &Of(array); };
  table.write = Write;
  table.compute = Compute;
  table.view = View;
  table.change = Change;
  table.live = [](void*) -> int64_t { return dlpack_cts::native::g_live; };
  return table;
}

}  // namespace

extern "C" DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) {
  static const dlpack_cts_plugin_table table = Table();
  return &table;
}
