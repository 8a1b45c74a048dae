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

/// Reads any bytes as a recipe: missing bytes are zero, further bytes are ignored, and the result is normal. This is
/// how a fuzzer's input is read.
Recipe DecodeAny(std::span<const uint8_t> bytes);

/// The bytes of a normal recipe: the header, and of the used blocks what says something.
std::vector<uint8_t> Encode(const Recipe& recipe);

/// The JSON twin, for people: only fields that differ from a block of MakeRecipe(), enumerators by name.
std::string ToJson(const Recipe& recipe);

/// Reads the JSON twin strictly: an unknown field or name, or a number that does not fit, is an error that says which.
/// The result is normal.
bool FromJson(std::string_view text, Recipe* recipe, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_CODEC_H_
