// harness/recipe/together.h: what the steps that make many exports or imports at once have at the same time.
#ifndef DLPACK_CTS_HARNESS_RECIPE_TOGETHER_H_
#define DLPACK_CTS_HARNESS_RECIPE_TOGETHER_H_

#include <cstdint>

namespace dlpack_cts {

/// What one thread of Op::kExportTogether does meanwhile, or what one thread alone has hundreds of at the same time.
enum class Beside : uint8_t {
  kNothing,
  kImports,
  kChangesMetadata,
  kMany,             // exports of the array
  kManyArrays,       // exports of arrays with different extents
  kManyByTable,      // the same by managed_tensor_from_py_object_no_sync
  kManyViews,        // the same by dltensor_from_py_object_no_sync
  kManyAllocations,  // tensors with different extents by managed_tensor_allocator
  kCount,
};

/// What the threads of Op::kImportTogether import.
enum class Sharing : uint8_t {
  kNothing,     // one tensor each
  kOneCapsule,  // one producer, whose offer must return a stored capsule
  kOneBare,     // one bare capsule, as in kManyBare and kFarBare
  kMany,        // one thread, hundreds of tensors with different extents, whose arrays are alive at the same time
  kManyBare,
  kFar,  // one thread, tensors whose elements are up to 4 GiB apart
  kFarBare,
  kReexports,  // one thread, one tensor, whose array has hundreds of exports at the same time
  kReexportsBare,
  kManyByTable,  // as kMany, by managed_tensor_to_py_object_no_sync
  kFarByTable,
  kCount,
};

constexpr bool IsMany(Sharing sharing) {
  return sharing == Sharing::kMany || sharing == Sharing::kManyBare || sharing == Sharing::kManyByTable;
}
constexpr bool IsFar(Sharing sharing) {
  return sharing == Sharing::kFar || sharing == Sharing::kFarBare || sharing == Sharing::kFarByTable;
}
constexpr bool IsReexports(Sharing sharing) {
  return sharing == Sharing::kReexports || sharing == Sharing::kReexportsBare;
}
constexpr bool IsByTable(Sharing sharing) {
  return sharing == Sharing::kManyByTable || sharing == Sharing::kFarByTable;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_TOGETHER_H_
