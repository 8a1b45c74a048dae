// tests/recipe/laws_test.cc: lies of offers are taken out, and nothing else is.
#include "harness/recipe/laws.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

bool SameBytes(const Offer& a, const Offer& b) { return std::memcmp(&a, &b, sizeof(Offer)) == 0; }

/// Calls the visitor for the offers of recipes of any tier, and of wild bytes.
template <typename Visit>
void ForEachOffer(Visit visit) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Recipe recipe = seed % 2 == 0 ? DrawAny(seed) : WildBytes(seed);
    Normalize(recipe);
    for (int i = 0; i < recipe.used.offers; ++i) visit(recipe.offer(i), seed);
  }
}

TEST(MendLies, RepairsTheGivenLaws) {
  uint32_t mended = 0;
  ForEachOffer([&](const Offer& offer, uint64_t seed) {
    for (const uint32_t lies : {kHostileLaws, kHostileLaws | kLawRelease, kLawRelease}) {
      Offer honest = offer;
      MendLies(honest, lies);
      Normalize(honest);
      ASSERT_EQ(BrokenLaws(honest) & lies, 0u) << seed;
      mended |= BrokenLaws(offer) & lies;
    }
  });
  EXPECT_EQ(mended, kHostileLaws | kLawRelease) << "each was there to be mended";
}

TEST(MendLies, KeepsALegalOffer) {
  int honest = 0;
  ForEachOffer([&](const Offer& offer, uint64_t seed) {
    for (const uint32_t lies : {kHostileLaws, kLawRelease}) {
      if ((BrokenLaws(offer) & lies) != 0) continue;
      Offer same = offer;
      MendLies(same, lies);
      ASSERT_TRUE(SameBytes(same, offer)) << seed;
      ++honest;
    }
  });
  EXPECT_GT(honest, 1000);
}

}  // namespace
}  // namespace dlpack_cts
