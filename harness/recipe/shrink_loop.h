// harness/recipe/shrink_loop.h: the one loop that makes a failing recipe smaller.
#ifndef DLPACK_CTS_HARNESS_RECIPE_SHRINK_LOOP_H_
#define DLPACK_CTS_HARNESS_RECIPE_SHRINK_LOOP_H_

#include <functional>
#include <span>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What a search may cost.
struct ShrinkBudget {
  int runs;
  double seconds;  // as a SearchCost counts them
};

/// Tries what VisitSimpler() gives of the smallest recipe that fails still, until none of it does or the budget is
/// spent, and returns the smallest. `fails` runs a candidate; it keeps what it needs of the last one for which it
/// returned true: that is the smallest.
Recipe Shrink(const Recipe& recipe, const ShrinkBudget& budget, const std::function<bool(const Recipe&)>& fails);

/// The recipe with these of its steps alone; numbers that it has not are passed over.
Recipe WithSteps(const Recipe& recipe, std::span<const unsigned> steps);

/// The numbers of the steps without which nothing shows any more: each is left out in turn, the last one first, and
/// stays away where `shows` is true all the same. All of them where the budget is spent at once.
std::vector<unsigned> NeededSteps(const Recipe& recipe, const ShrinkBudget& budget,
                                  const std::function<bool(const Recipe&)>& shows);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_SHRINK_LOOP_H_
