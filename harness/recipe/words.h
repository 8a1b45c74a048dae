// harness/recipe/words.h: element types, devices, flags, extents and elements as people write them.
#ifndef DLPACK_CTS_HARNESS_RECIPE_WORDS_H_
#define DLPACK_CTS_HARNESS_RECIPE_WORDS_H_

#include <cstdint>
#include <span>
#include <string>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

/// "float32", "float32 of 4 lanes", "dtype (float4_e2m1fn, 4 bits)", "dtype (code 200, 32 bits)".
std::string DtypeWords(abi::DLDataType dtype);

/// "CUDA(2):0"; "unknown(99):0" for an undefined one.
std::string DeviceWords(abi::DLDevice device);

/// "READ_ONLY|IS_COPIED", unknown bits in hexadecimal; "none" for 0.
std::string FlagsWords(uint64_t flags);

/// "(2,3)", "(6,)"; of more than kShownExtents the first, and how many there are.
inline constexpr size_t kShownExtents = 8;
std::string TupleWords(std::span<const int64_t> values);

/// An element of which those are the low 64 bits: "1.5", "-3", "True", "1.0+2.0j". Its bits, where it has no short
/// name.
std::string ElementWords(abi::DLDataType dtype, uint64_t bits);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_WORDS_H_
