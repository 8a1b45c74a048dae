// harness/recipe/shrink_loop.cc: greedy search over what the shrinker makes.
#include "harness/recipe/shrink_loop.h"

#include <numeric>
#include <utility>

#include "harness/recipe/search_cost.h"
#include "harness/recipe/shrink.h"

namespace dlpack_cts {
namespace {

class Budgeted {
 public:
  explicit Budgeted(const ShrinkBudget& budget) : budget_(budget) {}

  bool IsSpent() { return budget_.runs-- <= 0 || cost_.Seconds() >= budget_.seconds; }

 private:
  ShrinkBudget budget_;
  const SearchCost cost_;
};

}  // namespace

Recipe Shrink(const Recipe& recipe, const ShrinkBudget& budget, const std::function<bool(const Recipe&)>& fails) {
  Budgeted budgeted(budget);
  Recipe smallest;
  Copy(recipe, smallest);
  for (int change = 0;;) {
    bool smaller = false;
    Recipe next;
    change = VisitSimpler(smallest, change, [&](const Recipe& candidate) {
      if (budgeted.IsSpent()) return true;
      smaller = fails(candidate);
      if (smaller) Copy(candidate, next);
      return smaller;
    });
    if (!smaller) return smallest;
    Copy(next, smallest);
  }
}

Recipe WithSteps(const Recipe& recipe, std::span<const unsigned> steps) {
  Recipe fewer;
  Copy(recipe, fewer);
  fewer.used.steps = 0;
  for (const unsigned step : steps) {
    if (step < recipe.life().size()) fewer.steps[fewer.used.steps++] = recipe.life()[step];
  }
  return fewer;
}

std::vector<unsigned> NeededSteps(const Recipe& recipe, const ShrinkBudget& budget,
                                  const std::function<bool(const Recipe&)>& shows) {
  Budgeted budgeted(budget);
  std::vector<unsigned> needed(recipe.life().size());
  std::iota(needed.begin(), needed.end(), 0u);
  for (size_t at = needed.size(); at-- > 0 && !budgeted.IsSpent();) {
    std::vector<unsigned> fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
    if (!fewer.empty() && shows(WithSteps(recipe, fewer))) needed = std::move(fewer);
  }
  return needed;
}

}  // namespace dlpack_cts
