// adapters/arrow-native/arrow.h: what the plug-ins of Arrow's Tensor and Array share: types, buffers, and what a Status
// means.
#ifndef DLPACK_CTS_ADAPTERS_ARROW_NATIVE_ARROW_H_
#define DLPACK_CTS_ADAPTERS_ARROW_NATIVE_ARROW_H_

#include <arrow/api.h>
#include <arrow/c/dlpack.h>
#include <arrow/config.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "native.h"

namespace dlpack_cts::native {

/// Arrow returns the reason of a refusal as a Status.
template <typename T>
T OrRefuse(arrow::Result<T> result) {
  if (!result.ok()) throw Refused(result.status().ToString());
  return *std::move(result);
}

inline const char* ArrowVersion() { return arrow::GetBuildInfo().version_string.c_str(); }

struct ArrowType {
  dlpack_cts_dtype dtype;
  std::shared_ptr<arrow::DataType> type;
};

/// The types that Arrow exchanges.
inline const std::vector<ArrowType>& ArrowTypes() {
  static const std::vector<ArrowType> types = {
      {{kDLInt, 8, 1}, arrow::int8()},       {{kDLInt, 16, 1}, arrow::int16()},
      {{kDLInt, 32, 1}, arrow::int32()},     {{kDLInt, 64, 1}, arrow::int64()},
      {{kDLUInt, 8, 1}, arrow::uint8()},     {{kDLUInt, 16, 1}, arrow::uint16()},
      {{kDLUInt, 32, 1}, arrow::uint32()},   {{kDLUInt, 64, 1}, arrow::uint64()},
      {{kDLFloat, 16, 1}, arrow::float16()}, {{kDLFloat, 32, 1}, arrow::float32()},
      {{kDLFloat, 64, 1}, arrow::float64()}};
  return types;
}

inline std::shared_ptr<arrow::DataType> TypeOf(dlpack_cts_dtype dtype) {
  for (const ArrowType& row : ArrowTypes()) {
    if (row.dtype.code == dtype.code && row.dtype.bits == dtype.bits && dtype.lanes == 1) return row.type;
  }
  throw Unsupported("Arrow does not exchange this type");
}

inline dlpack_cts_dtype DtypeOf(const arrow::DataType& type) {
  for (const ArrowType& row : ArrowTypes()) {
    if (row.type->Equals(type)) return row.dtype;
  }
  return {};
}

/// A copy of bytes in memory that the library allocates. One byte more, so that an empty one is counted by Live().
inline std::shared_ptr<arrow::Buffer> NewBuffer(const uint8_t* bytes, int64_t size) {
  std::shared_ptr<arrow::Buffer> buffer = OrRefuse(arrow::AllocateBuffer(size + 1));
  std::copy_n(bytes, size, buffer->mutable_data());
  return arrow::SliceMutableBuffer(buffer, 0, size);
}

/// Bytes that the library has allocated: more of them after an exchange are a leak.
inline int64_t Live(void*) { return arrow::default_memory_pool()->bytes_allocated(); }

/// Arrow imports versioned structs alone. `import` owns the struct, also if it refuses.
template <typename Import>
auto Take(void* managed, const dlpack_cts_import_options* options, Import import) {
  RefuseOptions(managed, *options);
  if (options->versioned == 0) {
    Release(managed, false);
    throw Unsupported("Arrow does not import legacy structs");
  }
  return OrRefuse(import(static_cast<DLManagedTensorVersioned*>(managed)));
}

}  // namespace dlpack_cts::native

#endif  // DLPACK_CTS_ADAPTERS_ARROW_NATIVE_ARROW_H_
