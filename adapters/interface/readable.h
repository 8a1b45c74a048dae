// adapters/interface/readable.h: which elements an adapter may be asked for.
//
// values(), compute() and write() run the library's own code on the elements. On memory of a device, on an array
// without elements or on one larger than anything that was offered, what happens then is the adapter's doing and not
// the library's: nobody asks.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_READABLE_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_READABLE_H_

#include <cstddef>
#include <cstdint>

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

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
