// worker/shrink_loop.cc: greedy search over the shrinker's candidates.
#include "worker/shrink_loop.h"

#include <algorithm>
#include <vector>

#include "harness/recipe/shrink.h"
#include "worker/board.h"

namespace dlpack_cts::worker {

void Shrink(const Recipe& recipe, const ShrinkBudget& budget, const std::function<bool(const Recipe&)>& fails) {
  const double until = Now() + budget.seconds;
  int runs = budget.runs;
  Recipe smallest = recipe;
  for (bool smaller = true; smaller;) {
    const std::vector<Recipe> candidates = ShrinkCandidates(smallest);
    const auto next = std::find_if(candidates.begin(), candidates.end(), [&](const Recipe& candidate) {
      return runs-- > 0 && Now() < until && fails(candidate);
    });
    smaller = next != candidates.end();
    if (smaller) smallest = *next;
  }
}

}  // namespace dlpack_cts::worker
