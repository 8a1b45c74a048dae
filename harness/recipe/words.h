// harness/recipe/words.h: dtypes, devices, flags, extents and elements as text.
#ifndef DLPACK_CTS_HARNESS_RECIPE_WORDS_H_
#define DLPACK_CTS_HARNESS_RECIPE_WORDS_H_

#include <cstdint>
#include <span>
#include <string>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

/// "float32", "float32 of 4 lanes", "dtype (float4_e2m1fn, 4 bits)", "dtype (code 200, 32 bits)".
std::string DtypeWords(abi::DLDataType dtype);

/// "CUDA(2):0"; "unknown(99):0" for an undefined device type.
std::string DeviceWords(abi::DLDevice device);

/// "READ_ONLY|IS_COPIED", unknown bits in hexadecimal; "none" for 0.
std::string FlagsWords(uint64_t flags);

/// "(2,3)", "(6,)". If there are more than kShownExtents, the first ones and the number of all.
inline constexpr size_t kShownExtents = 8;
std::string TupleWords(std::span<const int64_t> values);

/// An element with these low 64 bits: "1.5", "-3", "True", "1.0+2.0j". Its bits if there is no short form.
std::string ElementWords(abi::DLDataType dtype, uint64_t bits);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_WORDS_H_
