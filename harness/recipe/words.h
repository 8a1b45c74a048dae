// harness/recipe/words.h: dtypes, devices, flags, extents and elements as text.
#ifndef DLPACK_CTS_HARNESS_RECIPE_WORDS_H_
#define DLPACK_CTS_HARNESS_RECIPE_WORDS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/enum_words.h"
#include "harness/abi/dlpack.h"

namespace dlpack_cts {

/// Names of type codes. Types with one width have the name of the type.
inline constexpr EnumWords<abi::DLDataTypeCode> kCodeWords = {"int",
                                                              "uint",
                                                              "float",
                                                              "opaque handle",
                                                              "bfloat",
                                                              "complex",
                                                              "bool",
                                                              "float8_e3m4",
                                                              "float8_e4m3",
                                                              "float8_e4m3b11fnuz",
                                                              "float8_e4m3fn",
                                                              "float8_e4m3fnuz",
                                                              "float8_e5m2",
                                                              "float8_e5m2fnuz",
                                                              "float8_e8m0fnu",
                                                              "float6_e2m3fn",
                                                              "float6_e3m2fn",
                                                              "float4_e2m1fn",
                                                              "bcomplex"};

/// Names of device types, as in dlpack.h without kDL; empty for numbers without a name.
inline constexpr std::array<std::string_view, 22> kDeviceTypeWords = {
    "",    "CPU",  "CUDA",     "CUDAHost", "OpenCL",      "",       "",       "Vulkan",  "Metal",
    "VPI", "ROCM", "ROCMHost", "ExtDev",   "CUDAManaged", "OneAPI", "WebGPU", "Hexagon", "MAIA",
    "Trn", "TPU",  "TPUHost",  "Ascend"};
static_assert(CountEnumerators<abi::DLDeviceType, abi::kDLVulkan>() == kDeviceTypeWords.size() &&
              !kDeviceTypeWords.back().empty());

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
