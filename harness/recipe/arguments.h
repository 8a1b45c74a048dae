// harness/recipe/arguments.h: the value of an argument of __dlpack__, whatever the classes of its objects are.
#ifndef DLPACK_CTS_HARNESS_RECIPE_ARGUMENTS_H_
#define DLPACK_CTS_HARNESS_RECIPE_ARGUMENTS_H_

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Whether it is a tuple of two integers.
inline bool IsPair(const Argument& argument) { return UsualKind(argument.kind) == ArgumentKind::kPair; }
/// Whether it is one integer.
inline bool IsInt(const Argument& argument) { return UsualKind(argument.kind) == ArgumentKind::kInt; }

/// Whether both are the same value, or both are absent.
inline bool HaveOneValue(const Argument& one, const Argument& other) {
  return UsualKind(one.kind) == UsualKind(other.kind) && one.a == other.a && one.b == other.b;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_ARGUMENTS_H_
