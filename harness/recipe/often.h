// harness/recipe/often.h: the kinds of exports that a leak measurement repeats.
#ifndef DLPACK_CTS_HARNESS_RECIPE_OFTEN_H_
#define DLPACK_CTS_HARNESS_RECIPE_OFTEN_H_

#include <cstdint>

namespace dlpack_cts {

/// What each round of Op::kExportOften does: its argument.
enum class Often : uint8_t {
  kDeleted,        // __dlpack__, then the deleter
  kUnused,         // __dlpack__, then the capsule is dropped
  kTableExport,    // managed_tensor_from_py_object_no_sync, then the deleter
  kTableView,      // dltensor_from_py_object_no_sync; nothing has to be released
  kTableAllocate,  // managed_tensor_allocator, then the deleter
  kCount,
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_OFTEN_H_
