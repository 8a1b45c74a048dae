// harness/judge/reduce.h: removes from a failing exchange every non-default value that the failure does not need.
#ifndef DLPACK_CTS_HARNESS_JUDGE_REDUCE_H_
#define DLPACK_CTS_HARNESS_JUDGE_REDUCE_H_

#include <functional>
#include <optional>

#include "harness/case/profile.h"
#include "harness/judge/coordinates.h"
#include "harness/recipe/recipe.h"
#include "harness/recipe/shrink_loop.h"

namespace dlpack_cts {

/// The simplest recipe that still fails, and its non-default values.
struct Reduced {
  Recipe recipe;
  PeculiaritySet set;
  bool scalar = false;  // with a dimension it does not fail
};

/// True if `a` is simpler: of the values in which they differ, the last in the table belongs to `b`.
bool IsPlainer(const PeculiaritySet& a, const PeculiaritySet& b);

/// True when an exchange with the first set may be reduced to one with the second: what comes in takes the place of
/// another value of its coordinate, and reducing tries it there.
bool MayReduceTo(const PeculiaritySet& whole, const PeculiaritySet& part);

/// Tries the default exchange, and the default one with each value alone; then goes through the properties, and
/// gives each the simplest value with which the exchange fails; then makes the rest smaller, without a new
/// non-default value. No candidate violates a law that the recipe does not violate, and each fits the profile. `fails`
/// runs a candidate; it keeps what it needs of the last one for which it returned true.
Reduced Reduce(const Recipe& recipe, const Profile& profile, const ShrinkBudget& budget,
               const std::function<bool(const Recipe&)>& fails);

/// The exchange with one-dimensional instead of 0-dimensional tensors, and all other values as before.
std::optional<Recipe> WithADimension(const Reduced& reduced, const Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_REDUCE_H_
