// worker/probe/probe.h: finds out what a subject can do, before the first case.
#ifndef DLPACK_CTS_WORKER_PROBE_PROBE_H_
#define DLPACK_CTS_WORKER_PROBE_PROBE_H_

#include "engine/engine.h"
#include "worker/process/crash_record.h"
#include "worker/run/reference_run.h"

namespace dlpack_cts::worker {

/// The number of probes. Each may crash the process. crash_record.probe is the index of the running one; after
/// SkipProbe() the next process continues with the one after it.
int ProbeCount();

/// Called before the first probe. Sets what the subject declares; everything else is assumed to work.
void ExpectAll(Profile& profile);

/// Continues after the probe that crashed its process. A non-default property that crashes counts as "no", and the
/// cases about it report it. A simple exchange that crashes counts as "yes": with "no" every case would be blocked, or
/// run another exchange, and none would report the crash.
void SkipProbe(CrashRecord& crash_record);

/// Runs the probes from crash_record.probe on, and writes crash_record.profile, which must contain the claims.
/// Comparison with `reference_run` shows observed choices of the subject (ChoicesSeen).
void RunProbes(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_PROBE_H_
