// harness/minimise/minimise.h: the minimiser of failing recipes.
#ifndef DLPACK_CTS_HARNESS_MINIMISE_MINIMISE_H_
#define DLPACK_CTS_HARNESS_MINIMISE_MINIMISE_H_

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/attribute/properties.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What minimising may cost.
struct Budget {
  int runs;
  double seconds;  // as SearchCost counts them
};

/// Runs a candidate: true if it still fails in the same way. It stores what the caller needs of the last candidate for
/// which it returned true, which is the smallest one.
using Predicate = std::function<bool(const Recipe&)>;

/// The simplest recipe that still fails, and its non-default values.
struct Minimised {
  Recipe recipe;
  TriggerSet set;
  std::vector<const Property*> defaults = {};  // whose default value is needed: with another one it does not fail
};

/// Tries the default exchange, and the default exchange with each single value. Then gives each property the simplest
/// value with which the exchange still fails. Then makes sizes smaller, without a new non-default value. Each candidate
/// fits the profile, and violates only laws that the recipe violates.
Minimised Minimise(const Recipe& recipe, const Predicate& fails, const Budget& budget, const Profile& profile = {});

/// Makes only sizes and values smaller, by VisitSimpler(). The steps stay, because a case is about them.
Recipe MinimiseValues(const Recipe& recipe, const Predicate& fails, const Budget& budget, const Profile& profile = {});

/// The numbers of the steps that the failure needs. Leaves out each step in turn, the last one first. All of them if
/// the budget is spent immediately.
std::vector<unsigned> NeededSteps(const Recipe& recipe, const Predicate& fails, const Budget& budget);

/// The recipe with only these steps. Numbers that it does not have are ignored.
Recipe WithSteps(const Recipe& recipe, std::span<const unsigned> steps);

/// True if `a` is simpler: compares the values in which they differ, and the last of them in the table belongs to `b`.
bool IsPlainer(const TriggerSet& a, const TriggerSet& b);

/// Whether minimising can lead from `whole` to `part`: each new value replaces another value of its property, which
/// minimising tries there.
bool MayReduceTo(const TriggerSet& whole, const TriggerSet& part);

/// The exchange with one-dimensional instead of 0-dimensional tensors, and otherwise the same values.
std::optional<Recipe> WithADimension(const Minimised& minimised, const Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_MINIMISE_MINIMISE_H_
