// subject/readable.cc: checks device, shape and size before elements are read.
#include "subject/readable.h"

#include <algorithm>

namespace dlpack_cts {

bool OnHost(abi::DLDevice device) {
  return device.device_type == abi::kDLCPU || device.device_type == abi::kDLCUDAHost ||
         device.device_type == abi::kDLROCMHost || device.device_type == abi::kDLCUDAManaged;
}

int64_t BytesToRead(const Description& told, const Meant& meant, size_t most) {
  if (!OnHost(told.valid && told.has_device ? told.device : meant.device)) return -1;
  const int64_t item = std::max<int64_t>(1, ItemSize(told.valid && told.known_dtype ? told.dtype : meant.dtype));
  int64_t count = meant.elements;
  if (told.valid && told.has_shape) {
    if (told.ndim < 0 || told.ndim > kDims) return -1;
    if (std::any_of(told.shape, told.shape + told.ndim, [](int64_t extent) { return extent < 0; })) return -1;
    count = ElementCount(told.shape, told.ndim);
  }
  return count >= 0 && count <= static_cast<int64_t>(most) / item ? count * item : -1;
}

}  // namespace dlpack_cts
