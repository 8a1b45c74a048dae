// examples/cpp-plugin/plugin.cc: the plug-in, a table of functions through which dlpack-cts drives "tiny".
#include "plugin.h"

#include <cstdio>
#include <cstring>

#include "tensor.h"

namespace {

using tiny::Tensor;

Tensor& Of(dlpack_cts_array array) { return *static_cast<Tensor*>(array); }

/// Exceptions must not leave the plug-in: each becomes a code and a text.
template <typename Function>
int Guarded(dlpack_cts_error* error, Function function) {
  int code = DLPACK_CTS_OK;
  try {
    function();
  } catch (const tiny::Refused& refused) {
    code = DLPACK_CTS_REFUSED;
    std::snprintf(error->text, sizeof(error->text), "%s", refused.what());
  } catch (const tiny::NoSuchType& unknown) {
    code = DLPACK_CTS_UNSUPPORTED;
    std::snprintf(error->text, sizeof(error->text), "%s", unknown.what());
  } catch (const std::exception& failure) {
    code = DLPACK_CTS_FAILED;
    std::snprintf(error->text, sizeof(error->text), "%s", failure.what());
  }
  return code;
}

const char* Name() { return "tiny"; }
const char* Version() { return "1.0"; }

int Import(void*, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  return Guarded(error, [&] {
    Tensor tensor = tiny::FromDlpack(managed, options->versioned != 0, options->copy == 1);
    if (options->has_device != 0 && options->device.type != kDLCPU)
      throw tiny::Refused("tensors are always on the CPU");
    *array = new Tensor(std::move(tensor));
  });
}

int Make(void*, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const DLDataType dtype = {request->dtype.code, request->dtype.bits, request->dtype.lanes};
    if (!tiny::IsKnown(dtype)) throw tiny::NoSuchType("tiny has no such element type");
    Tensor tensor;
    tensor.dtype = dtype;
    tensor.memory = tiny::NewBlock(request->backing_size);
    if (request->backing_size > 0) std::memcpy(tensor.memory.get(), request->backing, request->backing_size);
    const auto item = static_cast<int64_t>(tensor.Item());
    for (int32_t d = 0; d < request->ndim; ++d) {
      tensor.shape.push_back(request->shape[d]);
      tensor.steps.push_back(request->shape[d] > 1 ? request->strides[d] * item : 0);
    }
    if (tensor.Count() > 0) tensor.first = static_cast<uint8_t*>(tensor.memory.get()) + request->offset * item;
    tensor.read_only = request->read_only != 0;
    *array = new Tensor(std::move(tensor));
  });
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  return Guarded(error, [&] { *managed = tiny::ToDlpack(Of(array), options->versioned != 0, options->copy == 1); });
}

int Describe(dlpack_cts_array array, dlpack_cts_description* description, dlpack_cts_error*) {
  const Tensor& tensor = Of(array);
  description->data = tensor.first;
  description->dtype = {tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes};
  description->device = {kDLCPU, 0};
  description->ndim = static_cast<int32_t>(tensor.shape.size());
  description->has_strides = 1;
  description->writable = tensor.read_only ? 0 : 1;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    description->shape[d] = tensor.shape[d];
    description->byte_strides[d] = tensor.steps[d];
  }
  return DLPACK_CTS_OK;
}

int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) {
  try {
    const Tensor& tensor = Of(array);
    int64_t bytes = 0;
    if (__builtin_mul_overflow(tensor.Count(), static_cast<int64_t>(tensor.Item()), &bytes)) return -1;
    tensor.Read(out, capacity);
    return bytes;
  } catch (const std::exception&) {
    return -1;
  }
}

void Drop(dlpack_cts_array array) { delete &Of(array); }

int Write(dlpack_cts_array array, int64_t index, const uint8_t* bits, size_t size, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Tensor& tensor = Of(array);
    if (tensor.read_only) throw tiny::Refused("the tensor is read-only");
    if (index < 0 || index >= tensor.Count() || size != tensor.Item()) throw tiny::Refused("there is no such element");
    std::memcpy(tensor.Address(index), bits, size);
  });
}

int Compute(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(error, [&] { *result = new Tensor(Of(array).Copy()); });
}

int View(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(error, [&] { *result = new Tensor(Of(array)); });
}

// Other entries stay NULL: tiny has no context, no change in place, and no deferred releases.
const dlpack_cts_plugin_table kTable = {
    .abi = DLPACK_CTS_PLUGIN_ABI,
    .size = sizeof(dlpack_cts_plugin_table),
    .context = nullptr,
    .name = Name,
    .version = Version,
    .import_tensor = Import,
    .make = Make,
    .export_tensor = Export,
    .describe = Describe,
    .values = Values,
    .drop = Drop,
    .write = Write,
    .compute = Compute,
    .view = View,
    .change = nullptr,
    .collect = nullptr,
    .live = [](void*) { return tiny::Live(); },
    .close = nullptr,
};

}  // namespace

extern "C" DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) { return &kTable; }
