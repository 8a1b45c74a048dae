// adapters/arrow-array-native/plugin.cc: the C++ class arrow::Array as producer and consumer: one dimension, immutable.
#include <arrow/array/concatenate.h>

#include "../arrow-native/arrow.h"

namespace {

using arrow::Array;
using dlpack_cts::native::Guarded;
using dlpack_cts::native::NewBuffer;
using dlpack_cts::native::OrRefuse;
using dlpack_cts::native::Unsupported;

using Shared = std::shared_ptr<Array>;

Shared& Of(dlpack_cts_array array) { return *static_cast<Shared*>(array); }

int Import(void*, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  return Guarded(error, [&] {
    *array = new Shared(dlpack_cts::native::Take(managed, options, &arrow::dlpack::ImportArrayVersioned));
  });
}

Shared MakeOddity(int32_t oddity) {
  arrow::StringBuilder text;
  arrow::Date32Builder date;
  switch (oddity) {
    case DLPACK_CTS_TEXT:
      if (!text.Append("one").ok()) break;
      return OrRefuse(text.Finish());
    case DLPACK_CTS_DATE:
      if (!date.Append(1).ok()) break;
      return OrRefuse(date.Finish());
    default:
      break;
  }
  throw Unsupported("Arrow has no such arrays");
}

int Make(void*, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    if (request->oddity != DLPACK_CTS_PLAIN) {
      *array = new Shared(MakeOddity(request->oddity));
      return;
    }
    const auto type = dlpack_cts::native::TypeOf(request->dtype);
    if (request->ndim != 1 || (request->shape[0] > 1 && request->strides[0] != 1)) {
      throw Unsupported("arrays have one dimension, and no strides");
    }
    const int64_t length = request->shape[0];
    const int64_t offset = length == 0 ? 0 : request->offset;
    const auto item = static_cast<int64_t>(dlpack_cts::native::ItemSize(request->dtype));
    if (request->making == DLPACK_CTS_VIEW) {
      auto whole = NewBuffer(request->backing, static_cast<int64_t>(request->backing_size));
      const auto count = static_cast<int64_t>(request->backing_size) / item;
      *array =
          new Shared(arrow::MakeArray(arrow::ArrayData::Make(type, count, {nullptr, whole}, 0))->Slice(offset, length));
    } else {
      auto own = NewBuffer(request->backing + offset * item, length * item);
      *array = new Shared(arrow::MakeArray(arrow::ArrayData::Make(type, length, {nullptr, own}, 0)));
    }
  });
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    if (options->versioned != 0) {
      *managed = OrRefuse(arrow::dlpack::ExportArrayVersioned(Of(array), options->copy == 1));
    } else if (options->copy == 1) {
      throw Unsupported("Arrow's legacy exports do not copy");
    } else {
      *managed = OrRefuse(arrow::dlpack::ExportArray(Of(array)));
    }
  });
}

int Describe(dlpack_cts_array array, dlpack_cts_description* told, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Array& values = *Of(array);
    told->dtype = dlpack_cts::native::DtypeOf(*values.type());
    told->ndim = 1;
    told->shape[0] = values.length();
    told->writable = 0;
    const arrow::Result<DLDevice> device = arrow::dlpack::ExportDevice(Of(array));
    if (!device.ok()) return;  // a type that is not exchanged
    told->device = {static_cast<int32_t>(device->device_type), device->device_id};
    const int64_t item = values.type()->byte_width();
    const arrow::Buffer& buffer = *values.data()->buffers[1];
    dlpack_cts::native::SetData(told, buffer.size() == 0 ? nullptr : buffer.data() + values.offset() * item);
    told->has_strides = 1;
    told->byte_strides[0] = item;
  });
}

int64_t Values(dlpack_cts_array array, uint8_t* out, size_t capacity) {
  dlpack_cts_description told = {};
  told.size = sizeof(told);
  dlpack_cts_error ignored = {};
  if (Describe(array, &told, &ignored) != DLPACK_CTS_OK || told.has_strides == 0) return -1;
  return dlpack_cts::native::ReadElements(told, out, capacity);
}

int Compute(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(error, [&] {
    const Shared& values = Of(array);
    const Shared twice = OrRefuse(arrow::Concatenate({values, values}));
    *result = new Shared(twice->Slice(values->length()));
  });
}

int View(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(error, [&] { *result = new Shared(Of(array)->Slice(0)); });
}

dlpack_cts_plugin_table Table() {
  dlpack_cts_plugin_table table = {};
  table.abi = DLPACK_CTS_PLUGIN_ABI;
  table.size = sizeof(table);
  table.name = [] { return "arrow-array-native"; };
  table.version = dlpack_cts::native::ArrowVersion;
  table.import_tensor = Import;
  table.make = Make;
  table.export_tensor = Export;
  table.describe = Describe;
  table.values = Values;
  table.drop = [](dlpack_cts_array array) { delete &Of(array); };
  table.compute = Compute;
  table.view = View;
  table.live = dlpack_cts::native::Live;
  return table;
}

}  // namespace

extern "C" DLPACK_CTS_PLUGIN_EXPORT const dlpack_cts_plugin_table* dlpack_cts_plugin(void) {
  static const dlpack_cts_plugin_table table = Table();
  return &table;
}
