// harness/recipe/fields.h: the recipe's fields by name, for JSON and for mutators that change single fields.
#ifndef DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_
#define DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One number, or an array of numbers of one type, in an offer, a request, a call, a step, or the forged table.
struct Field {
  std::string_view name;  // within its block: "device.device_type"
  size_t offset;          // of the first entry, in bytes
  size_t size;            // of one entry, in bytes: 1, 2, 4 or 8
  bool is_signed;
  int count;                                // number of entries; 1 for a single number
  std::span<const std::string_view> words;  // names of enumerators; empty for numbers
};

/// The blocks of one kind in a Recipe.
struct BlockType {
  std::string_view name;  // in JSON: "offers"
  std::span<const Field> fields;
  size_t offset;  // of the first block, in bytes
  size_t size;    // of one block, in bytes
  int most;
  size_t used;  // offset of the byte that counts the used blocks
};

/// Every field of such a block except reserved bytes, in the order of the struct.
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

/// Reads or writes entry `index` of a field. `block` is the Offer, Request, Call, Step or ForgedTable. Signed numbers
/// are sign-extended when read, and truncated when written.
uint64_t ReadField(const Field& field, const void* block, int index = 0);
void WriteField(const Field& field, void* block, int index, uint64_t value);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_FIELDS_H_
