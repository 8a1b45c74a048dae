// harness/minimise/simpler.h: makes simpler recipes from a recipe.
#ifndef DLPACK_CTS_HARNESS_MINIMISE_SIMPLER_H_
#define DLPACK_CTS_HARNESS_MINIMISE_SIMPLER_H_

#include <functional>

#include "harness/recipe/generator.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Makes the recipes that are simpler by one change, largest change first, and passes them to `visit` until it returns
/// true. Changes: fewer dimensions, smaller extents, compact strides, no offset, simpler dtype, flags, context, capsule
/// and call. Each recipe is normalised, differs from the input and from the others, and is valid only during `visit`. A
/// chain of simpler recipes ends. The steps stay, because a case is about them.
///
/// Starts with change number `first`, and tries the changes before it last. Returns the number of the change at which
/// `visit` returned true, or -1. A caller that continues from there with the simpler recipe does not repeat changes.
int VisitSimpler(const Recipe& recipe, int first, const std::function<bool(const Recipe&)>& visit);

/// Picks a random one of them. False if no simpler recipe exists.
bool PickSimpler(const Recipe& recipe, Random& random, Recipe& picked);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_MINIMISE_SIMPLER_H_
