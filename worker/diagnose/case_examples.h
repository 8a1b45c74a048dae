// worker/diagnose/case_examples.h: some examples of a case, for what they have in common.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_CASE_EXAMPLES_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_CASE_EXAMPLES_H_

#include <functional>

#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// Calls `use` with each row of a table, or with some examples that are drawn: the same ones in every call. The case
/// generates examples (`draw` is not null).
void ForEachExample(const Case& tested, const Profile& profile, const std::function<void(const Recipe& recipe)>& use);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_CASE_EXAMPLES_H_
