// fuzz/targets/export_fold.h: changes any recipe into one that the export target can run and judge.
#ifndef DLPACK_CTS_FUZZ_TARGETS_EXPORT_FOLD_H_
#define DLPACK_CTS_FUZZ_TARGETS_EXPORT_FOLD_H_

#include "fuzz/target.h"

namespace dlpack_cts::fuzz {

/// Keeps the requested array and the arguments of __dlpack__. In the legal tier every argument is valid in the
/// protocol, and the array is an ordinary one. The steps make one array, export it, and continue with steps that do not
/// write, in any order.
void FoldExport(Recipe& recipe, const Offering& offering);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TARGETS_EXPORT_FOLD_H_
