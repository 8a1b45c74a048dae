// mutants/values.h: reads the values of mutant files, as HACKING.md describes them.
#ifndef DLPACK_CTS_MUTANTS_VALUES_H_
#define DLPACK_CTS_MUTANTS_VALUES_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/failure.h"
#include "mutants/words.h"
#include "reference/behaviour.h"

namespace dlpack_cts {

/// A value of the file. The numbers of a list are those of bits.
using Written = std::variant<bool, int64_t, std::string, std::vector<int64_t>>;

// All of these throw a Failure with a phrase that says what is allowed.
bool ReadBool(const Written& written);
uint64_t ReadNumber(const Written& written, uint64_t highest);
/// The place of the word.
size_t ReadWord(std::string_view text, std::span<const std::string_view> words);
/// "dtype, lanes", "all but device"; a number; a list of bits.
uint64_t ReadMask(const Written& written, MaskWords words, uint64_t all);
uint64_t WordMask(std::string_view text, MaskWords words, uint64_t all);
uint64_t ReadDigits(std::string_view text);
/// "complex", "float8_e5m2" or a number.
uint8_t ReadCode(std::string_view text);
/// "CUDAHost" or a number.
int32_t ReadDeviceType(std::string_view text);
/// "always", "not rank 2", "versioned and code complex".
When ReadCondition(std::string_view text);

/// The value of a struct with a text of its own.
template <typename T>
T ReadText(const std::string& text) = delete;
template <>
inline When ReadText<When>(const std::string& text) {
  return ReadCondition(text);
}
template <>
abi::DLDataType ReadText<abi::DLDataType>(const std::string& text);
template <>
abi::DLDevice ReadText<abi::DLDevice>(const std::string& text);
template <>
abi::DLPackVersion ReadText<abi::DLPackVersion>(const std::string& text);
template <>
Slip ReadText<Slip>(const std::string& text);

Argument ReadArgument(const Written& written);
const std::string& TextOf(const Written& written);

/// The value of a field of that type; a mask has its words.
template <typename T, const auto&... kWords>
T Read(const Written& written) {
  if constexpr (sizeof...(kWords) == 1) {
    return static_cast<T>(ReadMask(written, kWords..., std::numeric_limits<T>::max()));
  } else if constexpr (Worded<T>) {
    return static_cast<T>(ReadWord(TextOf(written), kWordsOf<T>.all()));
  } else if constexpr (std::same_as<T, bool>) {
    return ReadBool(written);
  } else if constexpr (std::unsigned_integral<T>) {
    return static_cast<T>(ReadNumber(written, std::numeric_limits<T>::max()));
  } else if constexpr (std::same_as<T, Argument>) {
    return ReadArgument(written);
  } else {
    return ReadText<T>(TextOf(written));
  }
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_VALUES_H_
