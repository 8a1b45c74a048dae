// adapters/interface/readable.h: which elements an adapter may be asked for, and how memory of anybody is read.
//
// values(), compute() and write() run the library's own code on the elements. On memory of a device, on an array
// without elements or on one larger than anything that was offered, what happens then is the adapter's doing and not
// the library's: nobody asks.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_READABLE_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_READABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// As memcpy, from memory that can be read and may belong to nobody any more: what a library points to is looked at
/// wherever it leads, and AddressSanitizer is not asked.
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

/// What an array is meant to be, where its library does not say what it is.
struct Meant {
  abi::DLDevice device;
  abi::DLDataType dtype;
  int64_t elements;
};

/// Bytes of the array's elements. -1 where nobody may look at them: on a device, more than `most` bytes, or a shape
/// that is none. 0 where there are none.
int64_t BytesToRead(const Description& told, const Meant& meant, size_t most);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_READABLE_H_
