// harness/recipe/shrink_loop.cc: greedy search over what the shrinker makes.
#include "harness/recipe/shrink_loop.h"

#include <chrono>

#include "harness/recipe/shrink.h"

namespace dlpack_cts {

Recipe Shrink(const Recipe& recipe, const ShrinkBudget& budget, const std::function<bool(const Recipe&)>& fails) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - began).count() >= budget.seconds; };
  int runs = budget.runs;
  Recipe smallest;
  Copy(recipe, smallest);
  for (int change = 0;;) {
    bool smaller = false;
    Recipe next;
    change = VisitSimpler(smallest, change, [&](const Recipe& candidate) {
      if (runs-- <= 0 || spent()) return true;
      smaller = fails(candidate);
      if (smaller) Copy(candidate, next);
      return smaller;
    });
    if (!smaller) return smallest;
    Copy(next, smallest);
  }
}

}  // namespace dlpack_cts
