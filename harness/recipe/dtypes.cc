// harness/recipe/dtypes.cc: the table of named dtypes.
#include "harness/recipe/dtypes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <string>

namespace dlpack_cts {
namespace {

constexpr std::string_view kLanes = "_x";  // between the name of a scalar dtype and the number of lanes
constexpr auto kTypes = std::to_array<NamedDataType>({
    {.name = "bool", .dtype = {abi::kDLBool, 8, 1}},
    {.name = "int8", .dtype = {abi::kDLInt, 8, 1}},
    {.name = "int16", .dtype = {abi::kDLInt, 16, 1}},
    {.name = "int32", .dtype = {abi::kDLInt, 32, 1}},
    {.name = "int64", .dtype = {abi::kDLInt, 64, 1}},
    {.name = "uint8", .dtype = {abi::kDLUInt, 8, 1}},
    {.name = "uint16", .dtype = {abi::kDLUInt, 16, 1}},
    {.name = "uint32", .dtype = {abi::kDLUInt, 32, 1}},
    {.name = "uint64", .dtype = {abi::kDLUInt, 64, 1}},
    {.name = "float16", .dtype = {abi::kDLFloat, 16, 1}, .fraction = 10},
    {.name = "float32", .dtype = {abi::kDLFloat, 32, 1}, .fraction = 23},
    {.name = "float64", .dtype = {abi::kDLFloat, 64, 1}, .fraction = 52},
    {.name = "bfloat16", .dtype = {abi::kDLBfloat, 16, 1}, .fraction = 7},
    {.name = "complex32", .dtype = {abi::kDLComplex, 32, 1}, .fraction = 10},
    {.name = "complex64", .dtype = {abi::kDLComplex, 64, 1}, .fraction = 23},
    {.name = "complex128", .dtype = {abi::kDLComplex, 128, 1}, .fraction = 52},
    {.name = "float8_e3m4", .dtype = {abi::kDLFloat8_e3m4, 8, 1}, .fraction = 4, .since = 1},
    {.name = "float8_e4m3", .dtype = {abi::kDLFloat8_e4m3, 8, 1}, .fraction = 3, .since = 1},
    {.name = "float8_e4m3b11fnuz", .dtype = {abi::kDLFloat8_e4m3b11fnuz, 8, 1}, .fraction = 3, .since = 1},
    {.name = "float8_e4m3fn", .dtype = {abi::kDLFloat8_e4m3fn, 8, 1}, .fraction = 3, .since = 1},
    {.name = "float8_e4m3fnuz", .dtype = {abi::kDLFloat8_e4m3fnuz, 8, 1}, .fraction = 3, .since = 1},
    {.name = "float8_e5m2", .dtype = {abi::kDLFloat8_e5m2, 8, 1}, .fraction = 2, .since = 1},
    {.name = "float8_e5m2fnuz", .dtype = {abi::kDLFloat8_e5m2fnuz, 8, 1}, .fraction = 2, .since = 1},
    {.name = "float8_e8m0fnu", .dtype = {abi::kDLFloat8_e8m0fnu, 8, 1}, .fraction = 0, .since = 1},
    {.name = "int4", .dtype = {abi::kDLInt, 4, 1}},
    {.name = "uint4", .dtype = {abi::kDLUInt, 4, 1}},
    {.name = "int2", .dtype = {abi::kDLInt, 2, 1}},
    {.name = "uint2", .dtype = {abi::kDLUInt, 2, 1}},
    {.name = "float4_e2m1fn", .dtype = {abi::kDLFloat4_e2m1fn, 4, 1}, .since = 1},
    {.name = "float6_e2m3fn", .dtype = {abi::kDLFloat6_e2m3fn, 6, 1}, .since = 1},
    {.name = "float6_e3m2fn", .dtype = {abi::kDLFloat6_e3m2fn, 6, 1}, .since = 1},
});

constexpr bool IsWhole(const NamedDataType& type) { return type.dtype.bits >= 8; }
static_assert(std::ranges::is_partitioned(kTypes, IsWhole), "types of less than a byte come last");
constexpr auto kWholeByteTypes = static_cast<size_t>(std::ranges::count_if(kTypes, IsWhole));

}  // namespace

std::span<const NamedDataType> DataTypes() { return kTypes; }

std::span<const NamedDataType> WholeByteTypes() { return DataTypes().first(kWholeByteTypes); }

std::span<const NamedDataType> SubByteTypes() { return DataTypes().subspan(kWholeByteTypes); }

int DataTypeIndex(abi::DLDataType dtype) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].dtype == dtype) return static_cast<int>(i);
  }
  return -1;
}

int DataTypeIndex(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

const NamedDataType* TypeOfCode(uint8_t code) {
  const auto* const found =
      std::ranges::find_if(kTypes, [&](const NamedDataType& type) { return type.dtype.code == code; });
  return found == kTypes.end() ? nullptr : found;
}

std::optional<abi::DLDataType> DataTypeOf(std::string_view name) {
  if (const int index = DataTypeIndex(name); index >= 0) return kTypes[static_cast<size_t>(index)].dtype;
  const size_t end = name.rfind(kLanes);
  const int scalar = end == std::string_view::npos ? -1 : DataTypeIndex(name.substr(0, end));
  if (scalar < 0) return std::nullopt;
  abi::DLDataType dtype = kTypes[static_cast<size_t>(scalar)].dtype;
  const std::string_view number = name.substr(end + kLanes.size());
  const auto read = std::from_chars(number.data(), number.data() + number.size(), dtype.lanes);
  const bool whole = read.ec == std::errc() && read.ptr == number.data() + number.size();
  return whole && dtype.lanes > 1 ? std::optional(dtype) : std::nullopt;
}

bool HasName(abi::DLDataType dtype) {
  return dtype.lanes > 0 && DataTypeIndex(abi::DLDataType{dtype.code, dtype.bits, 1}) >= 0;
}

bool MeansDataType(std::string_view name, abi::DLDataType dtype) {
  struct Word {
    std::string_view text;
    abi::DLDataType dtype;
  };
  static constexpr Word kWords[] = {
      {"half", {abi::kDLFloat, 16, 1}},      {"float", {abi::kDLFloat, 32, 1}},
      {"single", {abi::kDLFloat, 32, 1}},    {"float", {abi::kDLFloat, 64, 1}},
      {"double", {abi::kDLFloat, 64, 1}},    {"bf16", {abi::kDLBfloat, 16, 1}},
      {"byte", {abi::kDLInt, 8, 1}},         {"ubyte", {abi::kDLUInt, 8, 1}},
      {"byte", {abi::kDLUInt, 8, 1}},        {"short", {abi::kDLInt, 16, 1}},
      {"ushort", {abi::kDLUInt, 16, 1}},     {"int", {abi::kDLInt, 32, 1}},
      {"int", {abi::kDLInt, 64, 1}},         {"long", {abi::kDLInt, 64, 1}},
      {"uint", {abi::kDLUInt, 32, 1}},       {"uint", {abi::kDLUInt, 64, 1}},
      {"ulong", {abi::kDLUInt, 64, 1}},      {"bool_", {abi::kDLBool, 8, 1}},
      {"boolean", {abi::kDLBool, 8, 1}},     {"bool8", {abi::kDLBool, 8, 1}},
      {"b1", {abi::kDLBool, 8, 1}},          {"?", {abi::kDLBool, 8, 1}},
      {"complex", {abi::kDLComplex, 64, 1}}, {"complex", {abi::kDLComplex, 128, 1}},
      {"cfloat", {abi::kDLComplex, 64, 1}},  {"cdouble", {abi::kDLComplex, 128, 1}},
  };
  std::string text;
  for (const char c : name.substr(name.find_last_of('.') + 1)) {  // npos + 1 is 0
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '?';
    if (letter) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (text.starts_with("dtype")) text.erase(0, 5);
  if (text == DataTypeName(dtype)) return true;
  for (const Word& word : kWords) {
    if (word.text == text && word.dtype == dtype) return true;
  }
  // A letter and a number: of bytes as in NumPy, or of bits.
  const char letter = dtype.code == abi::kDLInt       ? 'i'
                      : dtype.code == abi::kDLUInt    ? 'u'
                      : dtype.code == abi::kDLFloat   ? 'f'
                      : dtype.code == abi::kDLComplex ? 'c'
                                                      : '?';
  if (text.empty() || text[0] != letter) return false;
  return text.substr(1) == std::to_string(dtype.bits / 8) || text.substr(1) == std::to_string(dtype.bits);
}

bool IsNarrower(abi::DLDataType dtype, abi::DLDataType wider) {
  const bool number = dtype.code == abi::kDLInt || dtype.code == abi::kDLUInt || dtype.code == abi::kDLFloat ||
                      dtype.code == abi::kDLComplex;
  return number && dtype.code == wider.code && dtype.lanes == wider.lanes && dtype.bits < wider.bits;
}

std::string_view DataTypeName(abi::DLDataType dtype) {
  const int index = DataTypeIndex(dtype);
  if (index >= 0) return kTypes[static_cast<size_t>(index)].name;
  // Several texts stay valid, so that one message can name two dtypes without a name.
  static thread_local std::array<std::array<char, 32>, 4> texts;
  static thread_local size_t next = 0;
  auto& text = texts[next++ % texts.size()];
  const int scalar = DataTypeIndex(abi::DLDataType{dtype.code, dtype.bits, 1});
  const int length = scalar >= 0 && dtype.lanes > 1
                         ? std::snprintf(text.data(), text.size(), "%s_x%d",
                                         kTypes[static_cast<size_t>(scalar)].name.data(), dtype.lanes)
                         : std::snprintf(text.data(), text.size(), "(%d, %d, %d)", dtype.code, dtype.bits, dtype.lanes);
  return {text.data(), static_cast<size_t>(length)};
}

}  // namespace dlpack_cts
