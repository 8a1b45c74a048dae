// harness/recipe/passed.h: the object that a function of the exchange table gets.
#ifndef DLPACK_CTS_HARNESS_RECIPE_PASSED_H_
#define DLPACK_CTS_HARNESS_RECIPE_PASSED_H_

#include <cstdint>

namespace dlpack_cts {

/// The argument of Op::kTableExport and Op::kTableView. Any object other than the array is invalid input: no tensor is
/// owned then, whatever the function returns.
enum class Passed : uint8_t {
  kArray,
  kInteger,  // 7
  kNone,     // None
  kObject,   // object()
  kClass,    // the class of the array
  kCount,
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_PASSED_H_
