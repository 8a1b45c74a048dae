// harness/judge/reduce.h: takes from a failing exchange every peculiarity that it can do without.
#ifndef DLPACK_CTS_HARNESS_JUDGE_REDUCE_H_
#define DLPACK_CTS_HARNESS_JUDGE_REDUCE_H_

#include <functional>
#include <optional>

#include "harness/case/profile.h"
#include "harness/judge/coordinates.h"
#include "harness/recipe/recipe.h"
#include "harness/recipe/shrink_loop.h"

namespace dlpack_cts {

/// The plainest recipe that fails still, and what is peculiar about it.
struct Reduced {
  Recipe recipe;
  PeculiaritySet set;
  bool scalar = false;  // with a dimension it does not fail
};

/// True when `a` is plainer: of the peculiarities in which they differ, the last in the table is one of `b`.
bool IsPlainer(const PeculiaritySet& a, const PeculiaritySet& b);

/// True when an exchange with the first set may be reduced to one with the second: what comes in takes the place of
/// another value of its coordinate, and reducing tries it there.
bool MayReduceTo(const PeculiaritySet& whole, const PeculiaritySet& part);

/// Tries the plain exchange, and the plain one with each peculiarity alone; then goes through the coordinates, and
/// gives each the plainest value with which the exchange fails; then makes what is left smaller, without a new
/// peculiarity. No candidate tells a lie that the recipe does not tell, and each follows the subject's ways. `fails`
/// runs a candidate; it keeps what it needs of the last one for which it returned true.
Reduced Reduce(const Recipe& recipe, const Profile& profile, const ShrinkBudget& budget,
               const std::function<bool(const Recipe&)>& fails);

/// The exchange with tensors of one dimension, where they have none, and are as peculiar, and as true, as before else.
std::optional<Recipe> WithADimension(const Reduced& reduced, const Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_REDUCE_H_
