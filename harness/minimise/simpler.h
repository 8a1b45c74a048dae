// harness/minimise/simpler.h: the one shrinker of recipes.
#ifndef DLPACK_CTS_HARNESS_MINIMISE_SIMPLER_H_
#define DLPACK_CTS_HARNESS_MINIMISE_SIMPLER_H_

#include <functional>

#include "harness/recipe/generator.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Makes the recipes that are simpler than this one by one change, boldest first, and hands them to `visit` until it
/// returns true: fewer dimensions, smaller extents, compact strides, no offset, plainer dtype, flags, context, capsule
/// and call. Every one is normal, differs from the input and the others, and is gone when `visit` returns; a chain of
/// them ends. The life is left alone: a case's life is part of its meaning.
///
/// Begins with change number `first` and comes to those in front of it last. Returns the number of the change at which
/// `visit` returned true, or -1: who goes on from there with the simpler recipe asks nothing twice.
int VisitSimpler(const Recipe& recipe, int first, const std::function<bool(const Recipe&)>& visit);

/// Any one of them, where there is one.
bool PickSimpler(const Recipe& recipe, Random& random, Recipe& picked);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_MINIMISE_SIMPLER_H_
