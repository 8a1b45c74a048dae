// harness/minimise/minimise.h: the minimiser of failing recipes.
#ifndef DLPACK_CTS_HARNESS_MINIMISE_MINIMISE_H_
#define DLPACK_CTS_HARNESS_MINIMISE_MINIMISE_H_

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/attribute/coordinates.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// What minimising may cost.
struct Budget {
  int runs;
  double seconds;  // as a SearchCost counts them
};

/// Runs a candidate: true if it still fails in the same way. It keeps what it needs of the last candidate for which it
/// returned true: that is the smallest one.
using Predicate = std::function<bool(const Recipe&)>;

/// The simplest recipe that still fails, and its non-default values.
struct Minimised {
  Recipe recipe;
  PeculiaritySet set;
  bool scalar = false;  // with a dimension it does not fail
};

/// Tries the default exchange, and the default one with each value alone; then goes through the properties, and
/// gives each the simplest value with which the exchange fails; then makes the rest smaller, without a new
/// non-default value. No candidate violates a law that the recipe does not violate, and each fits the profile.
Minimised Minimise(const Recipe& recipe, const Predicate& fails, const Budget& budget, const Profile& profile = {});

/// As Minimise(), but only sizes and values get smaller, by VisitSimpler(). The steps stay: a case is about them.
Recipe MinimiseValues(const Recipe& recipe, const Predicate& fails, const Budget& budget);

/// The numbers of the steps without which the recipe does not fail. Each is left out in turn, the last one first. All
/// of them if the budget is spent at once.
std::vector<unsigned> NeededSteps(const Recipe& recipe, const Predicate& fails, const Budget& budget);

/// The recipe with only these of its steps; numbers that it does not have are ignored.
Recipe WithSteps(const Recipe& recipe, std::span<const unsigned> steps);

/// True if `a` is simpler: of the values in which they differ, the last in the table belongs to `b`.
bool IsPlainer(const PeculiaritySet& a, const PeculiaritySet& b);

/// True if an exchange with the first set may be minimised to one with the second: a new value replaces another value
/// of its property, and minimising tries it there.
bool MayReduceTo(const PeculiaritySet& whole, const PeculiaritySet& part);

/// The exchange with one-dimensional instead of 0-dimensional tensors, and all other values as before.
std::optional<Recipe> WithADimension(const Minimised& minimised, const Profile& profile);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_MINIMISE_MINIMISE_H_
