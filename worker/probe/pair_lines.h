// worker/probe/pair_lines.h: how the two libraries of a pair exchange the simplest array, in a few short lines.
#ifndef DLPACK_CTS_WORKER_PROBE_PAIR_LINES_H_
#define DLPACK_CTS_WORKER_PROBE_PAIR_LINES_H_

#include <functional>

#include "results/profile.h"
#include "subject/subject.h"
#include "worker/process/crash_record.h"
#include "worker/run/reference_run.h"

namespace dlpack_cts::worker {

/// Runs the simplest exchange of the pair, and reports whether the consumer shares the memory, copies or refuses. Then
/// each library runs it with the reference as partner: what the consumer requests, and which struct the producer
/// exports for that request. crash_record.profile is that of the pair. A line is reported when it is known.
void FindPairLines(Subject& producer, Subject& consumer, ReferenceRun& reference_run, CrashRecord& crash_record,
                   const std::function<void(const ProfileLine&)>& report);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_PAIR_LINES_H_
