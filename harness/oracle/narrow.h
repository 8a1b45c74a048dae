// harness/oracle/narrow.h: what elements become in a type of fewer bits.
#ifndef DLPACK_CTS_HARNESS_ORACLE_NARROW_H_
#define DLPACK_CTS_HARNESS_ORACLE_NARROW_H_

#include <cstdint>
#include <span>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

/// Converts in place as a C cast does (integers wrap, floats round to nearest): `bytes` holds whole elements of `from`,
/// and afterwards begins with as many of `to`. False, and nothing is known of the bytes, where a cast is not all that
/// can be meant: types of different kinds, and floats of 16 bits.
bool NarrowElements(abi::DLDataType from, abi::DLDataType to, std::span<uint8_t> bytes);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ORACLE_NARROW_H_
