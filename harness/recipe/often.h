// harness/recipe/often.h: in which ways tensors come and go again and again.
#ifndef DLPACK_CTS_HARNESS_RECIPE_OFTEN_H_
#define DLPACK_CTS_HARNESS_RECIPE_OFTEN_H_

#include <cstdint>

namespace dlpack_cts {

/// What each round of Op::kExportOften does, as its argument.
enum class Often : uint8_t {
  kDeleted,        // __dlpack__, and the deleter
  kUnused,         // __dlpack__, and the end of the capsule
  kTableExport,    // managed_tensor_from_py_object_no_sync, and the deleter
  kTableView,      // dltensor_from_py_object_no_sync: there is nothing to end
  kTableAllocate,  // managed_tensor_allocator, and the deleter
  kCount,
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_OFTEN_H_
