// fuzz/targets/import_fold.h: folds any recipe into one that the import target can run and judge.
#ifndef DLPACK_CTS_FUZZ_TARGETS_IMPORT_FOLD_H_
#define DLPACK_CTS_FUZZ_TARGETS_IMPORT_FOLD_H_

#include "fuzz/target.h"

namespace dlpack_cts {

/// Keeps what the recipe says as far as the tier allows: below the hostile tier every lie about memory is mended, in
/// the legal tier every broken law; a device is the CPU or one that nobody can reach, and the life is one import with
/// any order of harmless steps. Folding again changes nothing.
void FoldImport(Recipe& recipe, const Offering& offering);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_TARGETS_IMPORT_FOLD_H_
