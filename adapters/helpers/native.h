// adapters/helpers/native.h: what the plug-ins of native libraries share: exceptions become codes, elements are walked.
// Include it after the library's own dlpack.h.
#ifndef DLPACK_CTS_ADAPTERS_HELPERS_NATIVE_H_
#define DLPACK_CTS_ADAPTERS_HELPERS_NATIVE_H_

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <vector>

#include "plugin.h"

namespace dlpack_cts::native {

/// The library does not have such an array, or such an option. Thrown by the plug-in alone.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The library refused the data.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Exceptions must not leave a plug-in: each becomes a code and a text.
template <typename Function>
int Guarded(dlpack_cts_error* error, Function function) {
  const auto tell = [&](int code, const char* text) {
    std::snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
  };
  try {
    function();
    return DLPACK_CTS_OK;
  } catch (const Unsupported& unsupported) {
    return tell(DLPACK_CTS_UNSUPPORTED, unsupported.what());
  } catch (const Refused& refused) {
    return tell(DLPACK_CTS_REFUSED, refused.what());
  } catch (const std::exception& failure) {
    return tell(DLPACK_CTS_FAILED, failure.what());
  }
}

/// The address of element 0, which is known even if it is NULL.
inline void SetData(dlpack_cts_description* told, const void* data) {
  told->data = data;
  if (told->size > offsetof(dlpack_cts_description, has_data)) told->has_data = 1;
}

/// The caller of an import gave the struct away, so a plug-in that cannot make this import releases it.
inline void Release(void* managed, bool versioned) {
  if (versioned) {
    auto* owned = static_cast<DLManagedTensorVersioned*>(managed);
    if (owned->deleter != nullptr) owned->deleter(owned);
  } else {
    auto* owned = static_cast<DLManagedTensor*>(managed);
    if (owned->deleter != nullptr) owned->deleter(owned);
  }
}

/// For libraries whose imports have no options: neither a copy nor a device can be asked for.
inline void RefuseOptions(void* managed, const dlpack_cts_import_options& options) {
  if (options.copy != 1 && options.has_device == 0) return;
  Release(managed, options.versioned != 0);
  throw Unsupported("the import has no arguments copy and device");
}

/// Bytes of one element; 0 if elements share bytes.
inline size_t ItemSize(dlpack_cts_dtype dtype) {
  const unsigned bits = static_cast<unsigned>(dtype.bits) * dtype.lanes;
  return bits % 8 == 0 ? bits / 8 : 0;
}

inline bool IsEmpty(const dlpack_cts_description& told) {
  return std::find(told.shape, told.shape + told.ndim, 0) != told.shape + told.ndim;
}

/// The address of a row-major element. The array has elements, and its strides are known.
inline uint8_t* ElementAt(const dlpack_cts_description& told, int64_t index) {
  auto* address = static_cast<uint8_t*>(const_cast<void*>(told.data));
  for (int32_t d = told.ndim; d-- > 0;) {
    address += index % told.shape[d] * told.byte_strides[d];
    index /= told.shape[d];
  }
  return address;
}

/// All elements, row-major, as a loop over the fields of the library's array reads them: for libraries that have no
/// conversion of their own. -1 if elements share bytes.
inline int64_t ReadElements(const dlpack_cts_description& told, uint8_t* out, size_t capacity) {
  const size_t item = ItemSize(told.dtype);
  if (item == 0) return -1;
  if (IsEmpty(told)) return 0;
  int64_t count = 1;
  for (int32_t d = 0; d < told.ndim; ++d) count *= told.shape[d];
  for (int64_t i = 0; i < count && (static_cast<size_t>(i) + 1) * item <= capacity; ++i) {
    std::memcpy(out + static_cast<size_t>(i) * item, ElementAt(told, i), item);
  }
  return count * static_cast<int64_t>(item);
}

}  // namespace dlpack_cts::native

#endif  // DLPACK_CTS_ADAPTERS_HELPERS_NATIVE_H_
