// harness/recipe/shrink_loop.h: the one loop that makes a failing recipe smaller.
#ifndef DLPACK_CTS_HARNESS_RECIPE_SHRINK_LOOP_H_
#define DLPACK_CTS_HARNESS_RECIPE_SHRINK_LOOP_H_

#include <functional>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What a search may cost.
struct ShrinkBudget {
  int runs;
  double seconds;
};

/// Tries what VisitSimpler() gives of the smallest recipe that fails still, until none of it does or the budget is
/// spent, and returns the smallest. `fails` runs a candidate; it keeps what it needs of the last one for which it
/// returned true: that is the smallest.
Recipe Shrink(const Recipe& recipe, const ShrinkBudget& budget, const std::function<bool(const Recipe&)>& fails);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_SHRINK_LOOP_H_
