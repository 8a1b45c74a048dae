// harness/recipe/codec.h: the recipe's binary and JSON forms.
#ifndef DLPACK_CTS_HARNESS_RECIPE_CODEC_H_
#define DLPACK_CTS_HARNESS_RECIPE_CODEC_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Reads any bytes as a recipe, such as the input of a fuzzer: missing bytes are 0, extra bytes are ignored, and the
/// result is normalised.
Recipe DecodeAny(std::span<const uint8_t> bytes);

/// The bytes of a normalised recipe: the header, and the used parts of the used blocks.
std::vector<uint8_t> Encode(const Recipe& recipe);

/// The recipe as JSON, for people: only fields that differ from those of MakeRecipe(), enumerators by name.
std::string ToJson(const Recipe& recipe);

/// Reads the JSON twin strictly: for an unknown field or name, or a number that does not fit, the Failure says which.
/// The result is normal.
Recipe RecipeFromJson(std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_CODEC_H_
