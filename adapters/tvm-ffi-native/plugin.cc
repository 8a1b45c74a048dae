// adapters/tvm-ffi-native/plugin.cc: the C++ class tvm::ffi::Tensor of apache-tvm-ffi as producer and consumer.
#include <tvm/ffi/container/tensor.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <string>

#include "native.h"

namespace {

using dlpack_cts::native::Guarded;
using dlpack_cts::native::ItemSize;
using dlpack_cts::native::Unsupported;
using tvm::ffi::ShapeView;
using tvm::ffi::Tensor;

Tensor& Of(dlpack_cts_array array) { return *static_cast<Tensor*>(array); }

const char* Version() {
  static const std::string text = [] {
    TVMFFIVersion version;
    TVMFFIGetVersion(&version);
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
  }();
  return text.c_str();
}

std::atomic<int64_t> g_live{0};  // blocks; deleters come from any thread

/// An allocator as users of the library write it: a copy of the backing store, and element 0 within it.
struct Allocator {
  static constexpr std::align_val_t kAlignment{256};  // as dlpack.h asks
  const dlpack_cts_request* request;                  // only until AllocData() returns
  uint8_t* block = nullptr;

  void AllocData(DLTensor* tensor) {
    block = static_cast<uint8_t*>(::operator new(request->backing_size + 1, kAlignment));
    ++g_live;
    std::copy_n(request->backing, request->backing_size, block);
    tensor->data = block + request->offset * static_cast<int64_t>(ItemSize(request->dtype));
  }
  void FreeData(DLTensor*) {
    ::operator delete(block, kAlignment);
    --g_live;
  }
};

/// These functions throw before they own the struct: it stays with the caller, who calls the deleter.
template <typename Managed>
Tensor Take(Tensor (*import)(Managed*, size_t, bool), void* managed) {
  auto* source = static_cast<Managed*>(managed);
  try {
    return import(source, /*require_alignment=*/0, /*require_contiguous=*/false);
  } catch (...) {
    if (source->deleter != nullptr) source->deleter(source);
    throw;
  }
}

int Import(void*, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  return Guarded(error, [&] {
    dlpack_cts::native::RefuseOptions(managed, *options);
    try {
      *array = new Tensor(options->versioned != 0 ? Take(&Tensor::FromDLPackVersioned, managed)
                                                  : Take(&Tensor::FromDLPack, managed));
    } catch (const tvm::ffi::Error& refusal) {
      throw dlpack_cts::native::Refused(refusal.message());
    }
  });
}

int Make(void*, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    if (ItemSize(request->dtype) == 0) throw Unsupported("the elements share bytes");
    if (request->read_only != 0) throw Unsupported("tvm-ffi has no read-only tensors");
    const DLDataType dtype = {request->dtype.code, request->dtype.bits, request->dtype.lanes};
    const ShapeView shape(request->shape, static_cast<size_t>(request->ndim));
    const ShapeView strides(request->strides, static_cast<size_t>(request->ndim));
    Allocator allocator{request};
    if (request->making == DLPACK_CTS_FRESH) {
      *array = new Tensor(Tensor::FromNDAllocStrided(allocator, shape, strides, dtype, DLDevice{kDLCPU, 0}));
      return;
    }
    dlpack_cts_request whole = *request;
    whole.offset = 0;
    allocator.request = &whole;
    const auto count = static_cast<int64_t>(request->backing_size / ItemSize(request->dtype));
    const Tensor store = Tensor::FromNDAlloc(allocator, ShapeView(&count, 1), dtype, DLDevice{kDLCPU, 0});
    *array = new Tensor(store.as_strided(shape, strides, request->offset));
  });
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    if (options->copy == 1) throw Unsupported("tvm-ffi has no copies");
    if (options->versioned != 0) {
      *managed = Of(array).ToDLPackVersioned();
    } else {
      *managed = Of(array).ToDLPack();
    }
  });
}

int Describe(dlpack_cts_array array, dlpack_cts_description* told, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Tensor& tensor = Of(array);
    const DLDataType dtype = tensor.dtype();
    dlpack_cts::native::SetData(told, static_cast<uint8_t*>(tensor.data_ptr()) + tensor.byte_offset());
    told->dtype = {dtype.code, dtype.bits, dtype.lanes};
    told->device = {static_cast<int32_t>(tensor.device().device_type), tensor.device().device_id};
    told->ndim = tensor.ndim();
    const auto item = static_cast<int64_t>(ItemSize(told->dtype));
    told->has_strides = item != 0;
    for (int32_t d = 0; d < std::min(told->ndim, DLPACK_CTS_MAX_DIMS); ++d) {
      told->shape[d] = tensor.shape()[static_cast<size_t>(d)];
      told->byte_strides[d] = tensor.strides()[static_cast<size_t>(d)] * item;
    }
  });
}

int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) {
  dlpack_cts_description told = {};
  told.size = sizeof(told);
  dlpack_cts_error ignored = {};
  if (Describe(array, &told, &ignored) != DLPACK_CTS_OK) return -1;
  return dlpack_cts::native::ReadElements(told, out, capacity);
}

int View(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(error, [&] { *result = new Tensor(Of(array).as_strided(Of(array).shape(), Of(array).strides(), 0)); });
}

dlpack_cts_plugin_table Table() {
  dlpack_cts_plugin_table table = {};
  table.abi = DLPACK_CTS_PLUGIN_ABI;
  table.size = sizeof(table);
  table.name = [] { return "tvm-ffi-native"; };
  table.version = Version;
  table.import_tensor = Import;
  table.make = Make;
  table.export_tensor = Export;
  table.describe = Describe;
  table.values = Values;
  table.drop = [](dlpack_cts_array array) { delete &Of(array); };
  table.view = View;
  table.live = [](void*) -> int64_t { return g_live; };
  return table;
}

}  // namespace

extern "C" DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) {
  static const dlpack_cts_plugin_table table = Table();
  return &table;
}
