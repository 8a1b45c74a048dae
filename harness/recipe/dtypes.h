// harness/recipe/dtypes.h: the dtypes of recipes, with the names that adapters use.
#ifndef DLPACK_CTS_HARNESS_RECIPE_DTYPES_H_
#define DLPACK_CTS_HARNESS_RECIPE_DTYPES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

struct NamedDataType {
  std::string_view name;  // as in adapters: "float32", "bool", "bfloat16", "float8_e4m3fn"
  abi::DLDataType dtype;
  int fraction = kNoFloat;  // fraction bits of a float, or of each part of a complex number; 0: all bits are exponent
  uint32_t since = 0;       // the minor version that introduced it; a legacy struct supports only 0
  static constexpr int kNoFloat = -1;
};

/// All scalar dtypes of DLPack 1.3 in a fixed order: first those of whole bytes, then those of fewer than 8 bits. An
/// index is also a bit of masks.
std::span<const NamedDataType> DataTypes();
/// The dtypes of whole bytes.
std::span<const NamedDataType> WholeByteTypes();
/// The dtypes of fewer than 8 bits. Adapters pass each of their values as one byte.
std::span<const NamedDataType> SubByteTypes();

/// The index of the dtype in DataTypes(), or -1.
int DataTypeIndex(abi::DLDataType dtype);
int DataTypeIndex(std::string_view name);

/// The first dtype with that code, or NULL. Codes of floats of 8 bits or fewer have one dtype each.
const NamedDataType* TypeOfCode(uint8_t code);

/// The dtype of that name: one of DataTypes(), or a vector, "float4_e2m1fn_x2". Empty for other names.
std::optional<abi::DLDataType> DataTypeOf(std::string_view name);
/// Whether DataTypeOf() knows a name for the dtype.
bool HasName(abi::DLDataType dtype);

/// Whether the name is another usual name of the dtype: "f4", "<f4", "torch.float32", "f32", "half", "bool_".
bool MeansDataType(std::string_view name, abi::DLDataType dtype);

/// Whether the dtype is of the same kind as `wider`, and has fewer bits.
bool IsNarrower(abi::DLDataType dtype, abi::DLDataType wider);

/// "float32", "int4_x2", or "(code, bits, lanes)" for a dtype without a name.
std::string_view DataTypeName(abi::DLDataType dtype);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_DTYPES_H_
