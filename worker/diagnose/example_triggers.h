// worker/diagnose/example_triggers.h: the triggers of some examples of a case.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_TRIGGERS_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_TRIGGERS_H_

#include <vector>

#include "harness/attribute/properties.h"
#include "harness/case/case.h"
#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// One set for each row of a table, or for each of some examples that are drawn: the same ones in every call. The case
/// generates examples (`draw` is not null).
std::vector<TriggerSet> TriggersOfExamples(const Case& tested, const Profile& profile);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_EXAMPLE_TRIGGERS_H_
