// worker/once.h: runs a replayed exchange once, in this process, for a debugger.
#ifndef DLPACK_CTS_WORKER_ONCE_H_
#define DLPACK_CTS_WORKER_ONCE_H_

#include "worker/job/job.h"
#include "worker/setup.h"

namespace dlpack_cts::worker {

/// Runs the recipes of the job, with neither a fork nor a judgement, and prints the last one with what happened in it.
/// A crash or a forbidden access stops a debugger where it occurs.
void RunOnce(const Job& job, const Subjects& subjects);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_ONCE_H_
