// harness/oracle/narrow.h: the elements after a conversion to a dtype of fewer bits.
#ifndef DLPACK_CTS_HARNESS_ORACLE_NARROW_H_
#define DLPACK_CTS_HARNESS_ORACLE_NARROW_H_

#include <cstdint>
#include <span>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

/// Converts in place as a C cast does (integers wrap, floats round to nearest). `bytes` holds whole elements of `from`;
/// afterwards its first bytes hold as many elements of `to`. False if a cast is not the only possible conversion:
/// dtypes of different kinds, and 16-bit floats. Then the bytes are undefined.
bool NarrowElements(abi::DLDataType from, abi::DLDataType to, std::span<uint8_t> bytes);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ORACLE_NARROW_H_
