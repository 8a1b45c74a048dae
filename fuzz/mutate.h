// fuzz/mutate.h: changes a recipe by field, so that it stays one that says something.
#ifndef DLPACK_CTS_FUZZ_MUTATE_H_
#define DLPACK_CTS_FUZZ_MUTATE_H_

#include "fuzz/target.h"

namespace dlpack_cts {

/// A neighbour of the recipe, or now and then a fresh one of the generator.
Recipe Mutate(const Target& target, const Recipe& recipe, const Offering& offering, Random& random);

/// A recipe with some fields of the one and some of the other.
Recipe Cross(const Target& target, const Recipe& a, const Recipe& b, const Offering& offering, Random& random);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_MUTATE_H_
