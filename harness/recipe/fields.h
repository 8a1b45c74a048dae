// harness/recipe/fields.h: the recipe's fields by name, for its JSON twin and for mutators that work by field.
#ifndef DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_
#define DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One number, or an array of equal ones, inside a Recipe or a Step.
struct Field {
  std::string_view name;  // with its block: "offer.device.device_type"
  size_t offset;          // of the first entry
  size_t size;            // bytes of one entry: 1, 2, 4 or 8
  bool is_signed;
  int count;                                // entries; 1 for a plain number
  std::span<const std::string_view> words;  // names of an enumerator's values; empty for numbers
};

/// Every field of a recipe but magic, format, kind, reserved bytes and life, in the order of the struct.
std::span<const Field> Fields();

/// The fields of one step: op, slot, argument.
std::span<const Field> StepFields();

std::span<const std::string_view> RecipeKindWords();

/// The field of that name, or NULL.
const Field* FindField(std::string_view name);

/// Reads or writes entry `index` of a field; `block` is the Recipe or Step. Signed numbers are sign-extended on reading
/// and cut on writing.
uint64_t ReadField(const Field& field, const void* block, int index = 0);
void WriteField(const Field& field, void* block, int index, uint64_t value);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_
