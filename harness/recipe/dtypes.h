// harness/recipe/dtypes.h: the element types that recipes draw from, with the names that adapters use.
#ifndef DLPACK_CTS_HARNESS_RECIPE_DTYPES_H_
#define DLPACK_CTS_HARNESS_RECIPE_DTYPES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

struct NamedDataType {
  std::string_view name;  // as adapters write it: "float32", "bool", "bfloat16", "float8_e4m3fn"
  abi::DLDataType dtype;
  int fraction = kNoFloat;  // bits of a float's fraction, of each part of a complex number; 0: all bits are exponent
  uint32_t since = 0;       // the minor version that introduced it; a legacy struct has those of 0
  static constexpr int kNoFloat = -1;
};

/// All scalar types that DLPack 1.3 describes, in a fixed order: those of whole bytes, then those of less than a byte.
/// An index into it is a bit in masks.
std::span<const NamedDataType> DataTypes();
/// Those of whole bytes.
std::span<const NamedDataType> WholeByteTypes();
/// Those of less than a byte, whose values adapters show and take as one byte each.
std::span<const NamedDataType> SubByteTypes();

/// Index of the type in DataTypes(), or -1.
int DataTypeIndex(abi::DLDataType dtype);
int DataTypeIndex(std::string_view name);

/// The first type with that code, or NULL. Codes of floats of a byte and less have one type each.
const NamedDataType* TypeOfCode(uint8_t code);

/// The type of that name: one of DataTypes(), or a vector of some of them, "float4_e2m1fn_x2". Nothing for other names.
std::optional<abi::DLDataType> DataTypeOf(std::string_view name);
/// True for types that DataTypeOf() gives.
bool HasName(abi::DLDataType dtype);

/// True when the name is a usual way to write the type that adapters do not use: "f4", "<f4", "torch.float32", "f32",
/// "half", "bool_".
bool MeansDataType(std::string_view name, abi::DLDataType dtype);

/// True when the type is of the same kind of number as `wider`, and has fewer bits.
bool IsNarrower(abi::DLDataType dtype, abi::DLDataType wider);

/// "float32", "int4_x2", or "(code, bits, lanes)" for a triple without a name.
std::string_view DataTypeName(abi::DLDataType dtype);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_DTYPES_H_
