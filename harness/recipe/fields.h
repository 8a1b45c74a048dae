// harness/recipe/fields.h: the recipe's fields by name, for its JSON twin and for mutators that work by field.
#ifndef DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_
#define DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One number, or an array of equal ones, inside a block: an offer, a request, a call, a step, or the forged table.
struct Field {
  std::string_view name;  // inside its block: "device.device_type"
  size_t offset;          // of the first entry
  size_t size;            // bytes of one entry: 1, 2, 4 or 8
  bool is_signed;
  int count;                                // entries; 1 for a plain number
  std::span<const std::string_view> words;  // names of an enumerator's values; empty for numbers
};

/// Blocks of one kind, as they lie in a Recipe.
struct BlockType {
  std::string_view name;  // in the JSON twin: "offers"
  std::span<const Field> fields;
  size_t offset;  // of the first block
  size_t size;    // bytes of one
  int most;
  size_t used;  // offset of the byte that counts the used ones
};

/// Every field of such a block but reserved bytes, in the order of the struct.
std::span<const Field> OfferFields();
std::span<const Field> RequestFields();
std::span<const Field> CallFields();
std::span<const Field> StepFields();
std::span<const Field> TableFields();

/// Offers, requests, calls and the steps of the life, in the order of the recipe.
std::span<const BlockType> BlockTypes();

std::span<const std::string_view> RecipeKindWords();

/// The field of that name, or NULL.
const Field* FindField(std::span<const Field> fields, std::string_view name);

/// Reads or writes entry `index` of a field; `block` is the Offer, Request, Call, Step or ForgedTable. Signed numbers
/// are sign-extended on reading and cut on writing.
uint64_t ReadField(const Field& field, const void* block, int index = 0);
void WriteField(const Field& field, void* block, int index, uint64_t value);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_
