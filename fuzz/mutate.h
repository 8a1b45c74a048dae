// fuzz/mutate.h: changes single fields of a recipe, so that it stays valid and interesting.
#ifndef DLPACK_CTS_FUZZ_MUTATE_H_
#define DLPACK_CTS_FUZZ_MUTATE_H_

#include "fuzz/target.h"

namespace dlpack_cts::fuzz {

/// A variation of the recipe, or sometimes a new one from the generator.
Recipe Mutate(const Target& target, const Recipe& recipe, const Offering& offering, Random& random);

/// A recipe with some fields of `a` and some of `b`.
Recipe Cross(const Target& target, const Recipe& a, const Recipe& b, const Offering& offering, Random& random);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_MUTATE_H_
