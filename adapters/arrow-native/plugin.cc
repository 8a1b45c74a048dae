// adapters/arrow-native/plugin.cc: the C++ class arrow::Tensor as producer and consumer (arrow/c/dlpack.h).
#include "../arrow-native/arrow.h"

namespace {

using arrow::Tensor;
using dlpack_cts::native::Guarded;
using dlpack_cts::native::OrRefuse;
using dlpack_cts::native::Refused;
using dlpack_cts::native::Unsupported;

using Shared = std::shared_ptr<Tensor>;

Shared& Of(dlpack_cts_array array) { return *static_cast<Shared*>(array); }

int Import(void*, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  return Guarded(error, [&] {
    *array = new Shared(dlpack_cts::native::Take(managed, options, &arrow::dlpack::ImportTensorVersioned));
  });
}

int Make(void*, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const auto type = dlpack_cts::native::TypeOf(request->dtype);
    const auto item = static_cast<int64_t>(dlpack_cts::native::ItemSize(request->dtype));
    const std::vector<int64_t> shape(request->shape, request->shape + request->ndim);
    std::vector<int64_t> strides;
    for (int32_t d = 0; d < request->ndim; ++d) strides.push_back(request->strides[d] * item);
    auto buffer = dlpack_cts::native::NewBuffer(request->backing, static_cast<int64_t>(request->backing_size));
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    const int64_t start = empty ? 0 : request->offset * item;
    const int64_t size = buffer->size() - start;
    buffer = request->read_only != 0 ? arrow::SliceBuffer(buffer, start, size)
                                     : arrow::SliceMutableBuffer(buffer, start, size);
    arrow::Result<Shared> tensor = Tensor::Make(type, buffer, shape, strides);
    if (!tensor.ok()) throw Unsupported(tensor.status().ToString());
    *array = new Shared(*tensor);
  });
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Shared& tensor = Of(array);
    if (options->versioned != 0) {
      *managed = OrRefuse(arrow::dlpack::ExportTensorVersioned(tensor, options->copy == 1));
    } else if (options->copy == 1) {
      throw Unsupported("Arrow's legacy exports do not copy");
    } else {
      *managed = OrRefuse(arrow::dlpack::ExportTensor(tensor));
    }
  });
}

int Describe(dlpack_cts_array array, dlpack_cts_description* told, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Shared& tensor = Of(array);
    const DLDevice device = OrRefuse(arrow::dlpack::ExportDevice(tensor));
    dlpack_cts::native::SetData(told, tensor->raw_data());
    told->dtype = dlpack_cts::native::DtypeOf(*tensor->type());
    told->device = {static_cast<int32_t>(device.device_type), device.device_id};
    told->ndim = tensor->ndim();
    told->has_strides = 1;
    told->writable = tensor->is_mutable() ? 1 : 0;
    const auto dims = static_cast<size_t>(std::min(told->ndim, DLPACK_CTS_MAX_DIMS));
    std::copy_n(tensor->shape().begin(), dims, told->shape);
    std::copy_n(tensor->strides().begin(), dims, told->byte_strides);
  });
}

/// The offset of a row-major element in the buffer, in bytes.
int64_t OffsetOf(const Tensor& tensor, int64_t index) {
  std::vector<int64_t> place(static_cast<size_t>(tensor.ndim()));
  for (size_t d = place.size(); d-- > 0;) {
    place[d] = index % tensor.shape()[d];
    index /= tensor.shape()[d];
  }
  return tensor.CalculateValueOffset(place);
}

int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) {
  const Tensor& tensor = *Of(array);
  const auto item = static_cast<size_t>(tensor.type()->byte_width());
  const int64_t count = tensor.size();
  for (int64_t i = 0; i < count && (static_cast<size_t>(i) + 1) * item <= capacity; ++i) {
    std::memcpy(out + static_cast<size_t>(i) * item, tensor.raw_data() + OffsetOf(tensor, i), item);
  }
  return count * static_cast<int64_t>(item);
}

int Write(dlpack_cts_array array, int64_t index, const uint8_t* bits, size_t size, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Shared& tensor = Of(array);
    if (!tensor->is_mutable()) throw Refused("the tensor is not mutable");
    std::memcpy(tensor->raw_mutable_data() + OffsetOf(*tensor, index), bits, size);
  });
}

int View(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Shared& tensor = Of(array);
    *result = new Shared(OrRefuse(Tensor::Make(tensor->type(), tensor->data(), tensor->shape(), tensor->strides())));
  });
}

dlpack_cts_plugin_table Table() {
  dlpack_cts_plugin_table table = {};
  table.abi = DLPACK_CTS_PLUGIN_ABI;
  table.size = sizeof(table);
  table.name = [] { return "arrow-native"; };
  table.version = dlpack_cts::native::ArrowVersion;
  table.import_tensor = Import;
  table.make = Make;
  table.export_tensor = Export;
  table.describe = Describe;
  table.values = Values;
  table.drop = [](dlpack_cts_array array) { delete &Of(array); };
  table.write = Write;
  table.view = View;
  table.live = dlpack_cts::native::Live;
  return table;
}

}  // namespace

extern "C" DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) {
  static const dlpack_cts_plugin_table table = Table();
  return &table;
}
