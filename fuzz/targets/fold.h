// fuzz/targets/fold.h: changes any recipe into one that a target can run and judge.
#ifndef DLPACK_CTS_FUZZ_TARGETS_FOLD_H_
#define DLPACK_CTS_FUZZ_TARGETS_FOLD_H_

#include "fuzz/target.h"

namespace dlpack_cts::fuzz {

/// Keeps as much of the recipe as the tier allows. Below the hostile tier every invalid statement about memory is
/// repaired, in the legal tier every violated law. The device is the CPU, or one that the CPU cannot access. The steps
/// are one import and harmless steps in any order. A second call changes nothing.
void FoldImport(Recipe& recipe, const Offering& offering);

/// Keeps what the bytes of the target `header` express (header_bytes.h): every field of the struct, and what each
/// pointer points to. In the hostile tier a value is reduced only if no consumer could see that it is wrong: memory of
/// the described size has to exist. Below that tier it is FoldImport(). Elements are read only if the struct is valid.
void FoldHeader(Recipe& recipe, const Offering& offering);

/// Whether the CPU can access the memory of such a device.
bool IsHostMemory(int32_t device_type);

/// Keeps the requested array and the arguments of __dlpack__. In the legal tier every argument is valid in the
/// protocol, and the array is an ordinary one. The steps make one array, export it, and continue with steps that do not
/// write, in any order.
void FoldExport(Recipe& recipe, const Offering& offering);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TARGETS_FOLD_H_
