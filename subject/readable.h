// subject/readable.h: which elements may be read through an adapter, and how memory of a library is read.
//
// values(), compute() and write() run the library's code on the elements. They are not called for device memory, for
// arrays without elements, and for arrays that are larger than any offer: a failure there would be the adapter's, not
// the library's.
#ifndef DLPACK_CTS_SUBJECT_READABLE_H_
#define DLPACK_CTS_SUBJECT_READABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// memcpy from memory that may be freed already: AddressSanitizer does not check pointers of a library.
#if defined(__SANITIZE_ADDRESS__)
__attribute__((no_sanitize("address"))) inline void CopyUnchecked(void* to, const void* from, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    static_cast<volatile uint8_t*>(to)[i] = static_cast<const volatile uint8_t*>(from)[i];
  }
}
#else
inline void CopyUnchecked(void* to, const void* from, size_t size) { std::memcpy(to, from, size); }
#endif

/// Whether the host can read and write memory of that device.
bool OnHost(abi::DLDevice device);

/// The expected device, dtype and size, for what the library does not report.
struct Meant {
  abi::DLDevice device;
  abi::DLDataType dtype;
  int64_t elements;
};

/// Bytes of the array's elements. -1 if they must not be read: the array is on a device, has more than `most` bytes, or
/// an invalid shape. 0 without elements.
int64_t BytesToRead(const Description& told, const Meant& meant, size_t most);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_READABLE_H_
