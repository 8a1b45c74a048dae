// harness/recipe/sentence.h: a recipe in one line that a maintainer reads at once.
#ifndef DLPACK_CTS_HARNESS_RECIPE_SENTENCE_H_
#define DLPACK_CTS_HARNESS_RECIPE_SENTENCE_H_

#include <string>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// "float32, shape (2,3), strides (3,1), versioned 1.3, byte_offset 4, copy=True; import, read, drop-array": the
/// tensors with their types and shapes, what else of them and of the calls is not plain, and the steps where they are
/// not those of the plain life. Pure; takes a normalized recipe. One line.
std::string SentenceOf(const Recipe& recipe);

/// The part behind the semicolon; empty for the plain life.
std::string LifeWords(const Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_SENTENCE_H_
