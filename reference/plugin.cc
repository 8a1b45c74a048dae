// reference/plugin.cc: the plug-in table of the reference, as subject/plugin.h declares it.
#include "reference/plugin.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "harness/recipe/dtypes.h"
#include "reference/array.h"
#include "reference/instance.h"

namespace dlpack_cts {
namespace {

static_assert(kMaxDims == DLPACK_CTS_MAX_DIMS);

constexpr int64_t kLargestValues = int64_t{1} << 24;  // bytes; a huge extent must not use up the machine's memory

Array& ArrayOf(dlpack_cts_array array) { return *static_cast<Array*>(array); }
Reference& InstanceOf(void* context) { return *static_cast<Reference*>(context); }

int Tell(dlpack_cts_error* error, int code, const char* text) {
  std::snprintf(error->text, sizeof(error->text), "%s", text);
  return code;
}

int Tell(dlpack_cts_error* error, const Denial& denial) {
  return Tell(error, denial.about_data ? DLPACK_CTS_REFUSED : DLPACK_CTS_INVALID, denial.text);
}

/// C++ exceptions end here. The reference can only run out of memory.
template <typename Function>
int Guarded(Reference& instance, dlpack_cts_error* error, Function function) {
  const Acting acting(instance);
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return Tell(error, DLPACK_CTS_FAILED, "there is not enough memory");
  }
}

const char* Name() { return "reference-native"; }
const char* Version() { return DLPACK_CTS_VERSION; }

int Import(void* context, void* managed, const dlpack_cts_import_options* options, dlpack_cts_array* array,
           dlpack_cts_error* error) {
  return Guarded(InstanceOf(context), error, [&] {
    ++Acting::Now().exchanges;
    const ImportOptions wishes{options->copy, options->has_device != 0, {options->device.type, options->device.id}};
    Denial denial;
    std::unique_ptr<Array> made = ImportManaged(options->versioned != 0, managed, wishes, &denial);
    if (made == nullptr) return Tell(error, denial);
    *array = made.release();
    return int{DLPACK_CTS_OK};
  });
}

int Make(void* context, const dlpack_cts_request* request, dlpack_cts_array* array, dlpack_cts_error* error) {
  return Guarded(InstanceOf(context), error, [&] {
    const auto dims = static_cast<size_t>(request->ndim);
    MakeOptions options;
    options.dtype = DataTypeName({request->dtype.code, request->dtype.bits, request->dtype.lanes});
    options.shape = {request->shape, dims};
    options.strides = {request->strides, dims};
    options.offset = request->offset;
    options.backing = {request->backing, request->backing_size};
    options.read_only = request->read_only != 0;
    options.oddity = static_cast<Oddity>(request->oddity);
    Denial denial;
    std::unique_ptr<Array> made = MakeArray(options, &denial);
    if (made == nullptr && denial.path == kPathDtype) return Tell(error, DLPACK_CTS_UNSUPPORTED, denial.text);
    if (made == nullptr) return Tell(error, denial);
    *array = made.release();
    return int{DLPACK_CTS_OK};
  });
}

/// What an export keeps alive. There is no reference-counted array here, so it holds the owner of the elements.
Keeper KeeperOf(const Array& array) {
  const auto release = [](void* object, Keeper::Locking) { delete static_cast<std::shared_ptr<Owner>*>(object); };
  return {new std::shared_ptr<Owner>(array.owner), release};
}

int Export(dlpack_cts_array array, const dlpack_cts_export_options* options, void** managed, dlpack_cts_error* error) {
  return Guarded(ArrayOf(array).library, error, [&] {
    ++Acting::Now().exchanges;
    if (ArrayOf(array).denial) return Tell(error, ArrayOf(array).denial);
    ExportOptions wishes;
    wishes.versioned = options->versioned != 0;
    wishes.version = ActiveBehaviour().exporting.version;
    wishes.copy = options->copy;
    wishes.keeper = KeeperOf(ArrayOf(array));
    Denial denial;
    *managed = ExportManaged(ArrayOf(array), wishes, &denial);
    return *managed == nullptr ? Tell(error, denial) : int{DLPACK_CTS_OK};
  });
}

int Describe(dlpack_cts_array handle, dlpack_cts_description* description, dlpack_cts_error*) {
  const Array& array = ArrayOf(handle);
  description->data = array.opaque ? nullptr : array.first;
  description->dtype = {array.dtype.code, array.dtype.bits, array.dtype.lanes};
  if (array.raw != 0) description->dtype.code = abi::kDLOpaqueHandle;
  description->device = {array.device.device_type, array.device.device_id};
  description->ndim = array.ndim;
  description->has_strides = array.packed == 0 ? 1 : 0;  // elements that share bytes have no strides in bytes
  description->writable = array.read_only ? 0 : 1;
  std::copy_n(array.shape, array.ndim, description->shape);
  std::copy_n(array.steps, array.ndim, description->byte_strides);
  return DLPACK_CTS_OK;
}

int64_t Values(dlpack_cts_array handle, uint8_t* out, size_t capacity) {
  const Array& array = ArrayOf(handle);
  int64_t bytes = 0;
  if (array.denial || array.locked || array.opaque) return -1;
  if (__builtin_mul_overflow(array.Count(), array.ItemSize(), &bytes) || bytes > kLargestValues) return -1;
  if (static_cast<size_t>(bytes) <= capacity) {
    ReadElements(array, out);
    return bytes;
  }
  try {
    std::string all(static_cast<size_t>(bytes), '\0');
    ReadElements(array, reinterpret_cast<uint8_t*>(all.data()));
    std::memcpy(out, all.data(), capacity);
    return bytes;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

void Drop(dlpack_cts_array array) {
  const Acting acting(ArrayOf(array).library);
  delete static_cast<Array*>(array);
}

int Write(dlpack_cts_array handle, int64_t index, const uint8_t* bits, size_t size, dlpack_cts_error* error) {
  Array& array = ArrayOf(handle);
  const Acting acting(array.library);
  if (array.denial) return Tell(error, array.denial);
  if (static_cast<int64_t>(size) == array.ItemSize() && WriteElement(array, index, bits)) return DLPACK_CTS_OK;
  return Tell(error, DLPACK_CTS_INVALID, "the array is read-only, or has no such element");
}

int Compute(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(ArrayOf(array).library, error, [&] {
    if (ArrayOf(array).denial) return Tell(error, ArrayOf(array).denial);
    *result = CopyArray(ArrayOf(array)).release();
    return int{DLPACK_CTS_OK};
  });
}

int View(dlpack_cts_array array, dlpack_cts_array* result, dlpack_cts_error* error) {
  return Guarded(ArrayOf(array).library, error, [&] {
    if (ArrayOf(array).denial) return Tell(error, ArrayOf(array).denial);
    *result = ArrayOf(array).View().release();
    return int{DLPACK_CTS_OK};
  });
}

int Change(dlpack_cts_array array, int32_t how, dlpack_cts_error* error) {
  return Guarded(ArrayOf(array).library, error, [&] {
    Denial denial;
    return ChangeArray(ArrayOf(array), how, &denial) ? int{DLPACK_CTS_OK}
                                                     : Tell(error, DLPACK_CTS_INVALID, denial.text);
  });
}

int Close(dlpack_cts_array array, dlpack_cts_error* error) {
  return Guarded(ArrayOf(array).library, error, [&] {
    Denial denial;
    return CloseArray(ArrayOf(array), &denial) ? int{DLPACK_CTS_OK} : Tell(error, denial);
  });
}

void Collect(void* context) { InstanceOf(context).Flush(); }
int64_t Live(void* context) { return InstanceOf(context).live_blocks; }

constexpr dlpack_cts_plugin_table kTable = {
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
    .change = Change,
    .collect = Collect,
    .live = Live,
    .close = Close,
};

}  // namespace

dlpack_cts_plugin_table ReferencePlugin(Reference& instance) {
  dlpack_cts_plugin_table table = kTable;
  table.context = &instance;
  return table;
}

}  // namespace dlpack_cts
