// fuzz/targets/export_fold.h: folds any recipe into one that the export target can run and judge.
#ifndef DLPACK_CTS_FUZZ_TARGETS_EXPORT_FOLD_H_
#define DLPACK_CTS_FUZZ_TARGETS_EXPORT_FOLD_H_

#include "fuzz/target.h"

namespace dlpack_cts {

/// Keeps what the recipe asks the library to make, and how its __dlpack__ is called. In the legal tier every argument
/// is one that the protocol names, and the array is an ordinary one. The life makes one array, exports it, and goes on
/// with steps that write nothing, in any order.
void FoldExport(Recipe& recipe, const Offering& offering);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_TARGETS_EXPORT_FOLD_H_
