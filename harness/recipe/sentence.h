// harness/recipe/sentence.h: a recipe as one line of text.
#ifndef DLPACK_CTS_HARNESS_RECIPE_SENTENCE_H_
#define DLPACK_CTS_HARNESS_RECIPE_SENTENCE_H_

#include <string>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// "float32, shape (2,3), strides (3,1), versioned 1.3, byte_offset 4, copy=True; import, read, drop-array": the
/// tensors with dtype and shape, their other non-default values and those of the calls, and the steps unless they are
/// the default life. Pure; takes a normalised recipe. One line.
std::string SentenceOf(const Recipe& recipe);

/// The part after the semicolon; empty for the default life.
std::string LifeWords(const Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_SENTENCE_H_
