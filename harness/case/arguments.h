// harness/case/arguments.h: values of the arguments of __dlpack__ and from_dlpack.
#ifndef DLPACK_CTS_HARNESS_CASE_ARGUMENTS_H_
#define DLPACK_CTS_HARNESS_CASE_ARGUMENTS_H_

#include "harness/recipe/recipe.h"

namespace dlpack_cts::argument {

inline constexpr Argument kAbsent{};
inline constexpr Argument kNone{ArgumentKind::kNone, {}, 0, 0};
inline constexpr Argument kTrue{ArgumentKind::kTrue, {}, 0, 0};
inline constexpr Argument kFalse{ArgumentKind::kFalse, {}, 0, 0};

constexpr Argument Int(int64_t number) { return {ArgumentKind::kInt, {}, number, 0}; }
constexpr Argument Pair(int64_t first, int64_t second) { return {ArgumentKind::kPair, {}, first, second}; }

}  // namespace dlpack_cts::argument

#endif  // DLPACK_CTS_HARNESS_CASE_ARGUMENTS_H_
