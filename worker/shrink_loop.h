// worker/shrink_loop.h: the one loop that makes a failing recipe smaller.
#ifndef DLPACK_CTS_WORKER_SHRINK_LOOP_H_
#define DLPACK_CTS_WORKER_SHRINK_LOOP_H_

#include <functional>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// What a search may cost.
struct ShrinkBudget {
  int runs;
  double seconds;
};

/// Tries ShrinkCandidates() of the smallest recipe that fails still, boldest first, until none does or the budget is
/// spent. `fails` runs a candidate; it keeps what it needs of the last one for which it returned true: that is the
/// smallest.
void Shrink(const Recipe& recipe, const ShrinkBudget& budget, const std::function<bool(const Recipe&)>& fails);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SHRINK_LOOP_H_
