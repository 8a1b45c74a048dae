// harness/recipe/dtypes.cc: the table of named element types.
#include "harness/recipe/dtypes.h"

#include <array>
#include <cstdio>

namespace dlpack_cts {
namespace {

constexpr std::array<NamedDataType, 24> kTypes = {{
    {"bool", {abi::kDLBool, 8, 1}},
    {"int8", {abi::kDLInt, 8, 1}},
    {"int16", {abi::kDLInt, 16, 1}},
    {"int32", {abi::kDLInt, 32, 1}},
    {"int64", {abi::kDLInt, 64, 1}},
    {"uint8", {abi::kDLUInt, 8, 1}},
    {"uint16", {abi::kDLUInt, 16, 1}},
    {"uint32", {abi::kDLUInt, 32, 1}},
    {"uint64", {abi::kDLUInt, 64, 1}},
    {"float16", {abi::kDLFloat, 16, 1}},
    {"float32", {abi::kDLFloat, 32, 1}},
    {"float64", {abi::kDLFloat, 64, 1}},
    {"bfloat16", {abi::kDLBfloat, 16, 1}},
    {"complex32", {abi::kDLComplex, 32, 1}},
    {"complex64", {abi::kDLComplex, 64, 1}},
    {"complex128", {abi::kDLComplex, 128, 1}},
    {"float8_e3m4", {abi::kDLFloat8_e3m4, 8, 1}},
    {"float8_e4m3", {abi::kDLFloat8_e4m3, 8, 1}},
    {"float8_e4m3b11fnuz", {abi::kDLFloat8_e4m3b11fnuz, 8, 1}},
    {"float8_e4m3fn", {abi::kDLFloat8_e4m3fn, 8, 1}},
    {"float8_e4m3fnuz", {abi::kDLFloat8_e4m3fnuz, 8, 1}},
    {"float8_e5m2", {abi::kDLFloat8_e5m2, 8, 1}},
    {"float8_e5m2fnuz", {abi::kDLFloat8_e5m2fnuz, 8, 1}},
    {"float8_e8m0fnu", {abi::kDLFloat8_e8m0fnu, 8, 1}},
}};

}  // namespace

std::span<const NamedDataType> DataTypes() { return kTypes; }

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

std::string_view DataTypeName(abi::DLDataType dtype) {
  const int index = DataTypeIndex(dtype);
  if (index >= 0) return kTypes[static_cast<size_t>(index)].name;
  // A few texts live side by side, so that one message can name two unnamed triples.
  static thread_local std::array<std::array<char, 24>, 4> texts;
  static thread_local size_t next = 0;
  auto& text = texts[next++ % texts.size()];
  const int length = std::snprintf(text.data(), text.size(), "(%d, %d, %d)", dtype.code, dtype.bits, dtype.lanes);
  return {text.data(), static_cast<size_t>(length)};
}

}  // namespace dlpack_cts
