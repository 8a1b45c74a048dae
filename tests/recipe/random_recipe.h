// tests/recipe/random_recipe.h: recipes for properties: drawn ones of every tier, and ones of random bytes.
#ifndef DLPACK_CTS_TESTS_RECIPE_RANDOM_RECIPE_H_
#define DLPACK_CTS_TESTS_RECIPE_RANDOM_RECIPE_H_

#include <cstddef>
#include <cstring>
#include <iterator>

#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {

inline Recipe DrawAny(uint64_t seed) {
  Random random(seed);
  const auto tier = static_cast<Tier>(random.Below(3));
  const int index = static_cast<int>(random.Below(1000));
  Limits limits;
  limits.max_dims = 8;
  limits.deepest = kDims;
  limits.large = true;
  return random.OneIn(4) ? DrawExport(random, index, tier, limits) : DrawImport(random, index, tier, limits);
}

/// Bytes that are wild everywhere, or a drawn recipe with a few wild bytes in its header and first blocks.
inline Recipe WildBytes(uint64_t seed) {
  Random random(seed);
  Recipe recipe = DrawAny(random.Next());
  auto* bytes = reinterpret_cast<uint8_t*>(&recipe);
  if (random.OneIn(2)) {
    for (size_t i = 0; i + 8 <= sizeof(recipe); i += 8) {
      const uint64_t wild = random.Next();
      std::memcpy(bytes + i, &wild, sizeof(wild));
    }
    return recipe;
  }
  constexpr size_t kStarts[] = {0,
                                offsetof(Recipe, offers),
                                offsetof(Recipe, offers),
                                offsetof(Recipe, requests),
                                offsetof(Recipe, calls),
                                offsetof(Recipe, steps)};
  for (uint64_t changes = 1 + random.Below(12); changes > 0; --changes) {
    bytes[kStarts[random.Below(std::size(kStarts))] + random.Below(104)] = static_cast<uint8_t>(random.Next());
  }
  return recipe;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_RECIPE_RANDOM_RECIPE_H_
