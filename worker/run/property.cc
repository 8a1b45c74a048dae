// worker/run/property.cc: runs a property with rapidcheck over our generator.
#include "worker/run/property.h"

#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

namespace dlpack_cts::worker {

bool CheckProperty(uint64_t seed, int examples, const std::function<Recipe(uint64_t, int)>& draw,
                   const std::function<bool(const Recipe&)>& holds) {
  int index = 0;
  // rapidcheck copies what it generates many times: the seed is small, and a recipe is not.
  const rc::Gen<uint64_t> seeds([](const rc::Random& random, int) {
    rc::Random copy = random;
    return rc::shrinkable::just(copy.next());
  });
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = examples;
  rc::detail::TestListenerAdapter silent;
  const auto result = rc::detail::checkTestable([&] { RC_ASSERT(holds(draw(*seeds, index++))); },
                                                rc::detail::TestMetadata(), params, silent);
  return result.is<rc::detail::SuccessResult>();
}

}  // namespace dlpack_cts::worker
