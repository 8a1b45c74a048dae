// worker/probe/limits.h: finds what a library refuses, copies or makes otherwise, although a simpler exchange is
// accepted.
//
// Probes only learn what cases may draw. This pass reports each limitation with the exception of the library.
#ifndef DLPACK_CTS_WORKER_PROBE_LIMITS_H_
#define DLPACK_CTS_WORKER_PROBE_LIMITS_H_

#include <functional>
#include <string>
#include <vector>

#include "results/limit.h"
#include "worker/probe/exchanges.h"

namespace dlpack_cts::worker {

/// The number of questions about one library.
int LimitCount();

/// The ids that a limitation by one value can have, without "limit/": "make/dims=0".
std::vector<std::string> LimitIds();

/// Asks the questions from CrashRecord::probe on, and counts that up, so that a further child can go on after a crash.
/// The profile is complete. `report` gets each limitation.
void FindLimits(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record,
                const std::function<void(const Limit&)>& report);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_LIMITS_H_
