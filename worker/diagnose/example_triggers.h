// worker/diagnose/example_triggers.h: the triggers of some examples of a case.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_TRIGGERS_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_TRIGGERS_H_

#include <functional>
#include <vector>

#include "harness/attribute/properties.h"
#include "harness/case/case.h"
#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// Calls `use` with each row of a table, or with some examples that are drawn: the same ones in every call. The case
/// generates examples (`draw` is not null).
void ForEachExample(const Case& tested, const Profile& profile, const std::function<void(const Recipe& recipe)>& use);

/// One set for each of those examples.
std::vector<TriggerSet> TriggersOfExamples(const Case& tested, const Profile& profile);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_TRIGGERS_H_
