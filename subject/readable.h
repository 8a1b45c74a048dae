// subject/readable.h: which elements may be read through an adapter, and how foreign memory is read.
//
// values(), compute() and write() run the library's own code on the elements. They are not called for device memory,
// for arrays without elements, and for arrays larger than any offer: a failure there would be the adapter's, not the
// library's.
#ifndef DLPACK_CTS_SUBJECT_READABLE_H_
#define DLPACK_CTS_SUBJECT_READABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// As memcpy, but from memory that may be freed already: pointers of a library are followed without AddressSanitizer.
#if defined(__SANITIZE_ADDRESS__)
__attribute__((no_sanitize("address"))) inline void CopyOfAnybody(void* to, const void* from, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    static_cast<volatile uint8_t*>(to)[i] = static_cast<const volatile uint8_t*>(from)[i];
  }
}
#else
inline void CopyOfAnybody(void* to, const void* from, size_t size) { std::memcpy(to, from, size); }
#endif

/// True for devices whose memory the host reads and writes itself.
bool OnHost(abi::DLDevice device);

/// What an array should be, for properties that the library does not report.
struct Meant {
  abi::DLDevice device;
  abi::DLDataType dtype;
  int64_t elements;
};

/// Bytes of the array's elements. -1 if they must not be read: on a device, more than `most` bytes, or an invalid
/// shape. 0 without elements.
int64_t BytesToRead(const Description& told, const Meant& meant, size_t most);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_READABLE_H_
