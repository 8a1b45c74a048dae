// harness/recipe/words.cc: texts for the values of a tensor.
#include "harness/recipe/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "base/enum_words.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

std::string BitsWords(uint64_t bits) { return fmt::format("{:#x}", bits); }

/// A number with a decimal point, so that it does not look like an integer.
template <typename Number>
std::string FloatWords(Number number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

float HalfOf(uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 0x1F);
  const auto fraction = static_cast<float>(bits & 0x3FF);
  const float sign = (bits >> 15 & 1) != 0 ? -1.0F : 1.0F;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent == 0x1F) return fraction != 0 ? std::nanf("") : sign * INFINITY;
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

/// A number as text; "" for an unknown width.
std::string RealWords(uint64_t bits, int width) {
  switch (width) {
    case 16:
      return FloatWords(HalfOf(bits & 0xFFFF));
    case 32:
      return FloatWords(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case 64:
      return FloatWords(std::bit_cast<double>(bits));
    default:
      return "";
  }
}

std::string ComplexWords(uint64_t bits, int width) {
  const int half = width / 2;
  if (half != 16 && half != 32) return "";  // only 64 bits of an element are kept
  const std::string real = RealWords(bits, half);
  const std::string imaginary = RealWords(bits >> half, half);
  return real + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
}

std::string NumberWords(abi::DLDataType dtype, uint64_t bits) {
  switch (dtype.code) {
    case abi::kDLBool:
      return bits <= 1 ? bits == 1 ? "True" : "False" : "";
    case abi::kDLUInt:
      return fmt::format("{}", bits);
    case abi::kDLInt: {
      const int above = 64 - dtype.bits;
      return fmt::format("{}", static_cast<int64_t>(bits << above) >> above);
    }
    case abi::kDLFloat:
      return RealWords(bits, dtype.bits);
    case abi::kDLBfloat:
      return RealWords(bits << 16, 32);
    case abi::kDLComplex:
      return ComplexWords(bits, dtype.bits);
    default:
      return "";
  }
}

std::string CodeWords(uint8_t code) {
  return code < kCodeWords.all().size() ? std::string(kCodeWords.all()[code]) : fmt::format("code {}", code);
}

}  // namespace

std::string DtypeWords(abi::DLDataType dtype) {
  const std::string lanes = dtype.lanes == 1 ? "" : fmt::format(" of {} lanes", dtype.lanes);
  const int named = DataTypeIndex(abi::DLDataType{dtype.code, dtype.bits, 1});
  if (named >= 0) return std::string(DataTypes()[static_cast<size_t>(named)].name) + lanes;
  return fmt::format("dtype ({}, {} bits){}", CodeWords(dtype.code), dtype.bits, lanes);
}

std::string DeviceWords(abi::DLDevice device) {
  const int32_t type = device.device_type;
  const bool known = type > 0 && static_cast<size_t>(type) < kDeviceTypeWords.size() &&
                     !kDeviceTypeWords[static_cast<size_t>(type)].empty();
  if (!known) return fmt::format("unknown({}):{}", type, device.device_id);
  return fmt::format("{}({}):{}", kDeviceTypeWords[static_cast<size_t>(type)], type, device.device_id);
}

std::string FlagsWords(uint64_t flags) {
  struct Known {
    uint64_t bit;
    std::string_view word;
  };
  static constexpr Known kKnown[] = {{abi::kFlagReadOnly, "READ_ONLY"},
                                     {abi::kFlagIsCopied, "IS_COPIED"},
                                     {abi::kFlagSubbytePadded, "IS_SUBBYTE_TYPE_PADDED"}};
  std::string text;
  for (const Known& known : kKnown) {
    if ((flags & known.bit) == 0) continue;
    text += (text.empty() ? "" : "|") + std::string(known.word);
    flags &= ~known.bit;
  }
  if (flags != 0) text += (text.empty() ? "" : "|") + BitsWords(flags);
  return text.empty() ? "none" : text;
}

std::string TupleWords(std::span<const int64_t> values) {
  std::string text = "(";
  for (size_t i = 0; i < std::min(values.size(), kShownExtents); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(values[i]);
  }
  if (values.size() == 1) text += ',';
  if (values.size() > kShownExtents) text += fmt::format(",... {} in all", values.size());
  return text + ")";
}

std::string ElementWords(abi::DLDataType dtype, uint64_t bits) {
  // A lane has its own size; of several lanes only the first ones are known.
  const bool one = dtype.lanes == 1 && dtype.bits > 0 && dtype.bits <= 64;
  const std::string text = one ? NumberWords(dtype, bits) : "";
  return text.empty() ? "bits " + BitsWords(bits) : text;
}

}  // namespace dlpack_cts
