// tests/recipe/random_recipe.h: recipes for properties: drawn ones of every tier, and ones of random bytes.
#ifndef DLPACK_CTS_TESTS_RECIPE_RANDOM_RECIPE_H_
#define DLPACK_CTS_TESTS_RECIPE_RANDOM_RECIPE_H_

#include <cstring>

#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {

inline Recipe DrawAny(uint64_t seed) {
  Random random(seed);
  const auto tier = static_cast<Tier>(random.Below(3));
  const int index = static_cast<int>(random.Below(1000));
  Limits limits;
  limits.max_dims = kDims;
  return random.OneIn(4) ? DrawExport(random, index, tier, limits) : DrawImport(random, index, tier, limits);
}

/// Bytes that are wild everywhere, or a drawn recipe with a few wild bytes in it.
inline Recipe WildBytes(uint64_t seed) {
  Random random(seed);
  Recipe recipe = DrawAny(random.Next());
  auto* bytes = reinterpret_cast<uint8_t*>(&recipe);
  const bool all = random.OneIn(2);
  const uint64_t changes = all ? sizeof(recipe) : 1 + random.Below(12);
  for (uint64_t i = 0; i < changes; ++i) {
    bytes[all ? i : random.Below(sizeof(recipe))] = static_cast<uint8_t>(random.Next());
  }
  return recipe;
}

inline bool Same(const Recipe& a, const Recipe& b) { return std::memcmp(&a, &b, sizeof(Recipe)) == 0; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_RECIPE_RANDOM_RECIPE_H_
