// worker/run/crash_text.h: what is reported about a case whose process crashed or was stopped.
#ifndef DLPACK_CTS_WORKER_RUN_CRASH_TEXT_H_
#define DLPACK_CTS_WORKER_RUN_CRASH_TEXT_H_

#include "results/result.h"
#include "worker/job/job.h"
#include "worker/process/ending.h"

namespace dlpack_cts::worker {

/// The observation of the case with that index, from `ending` alone. It has neither recipe nor ledger.
Observation ObservationOf(const Ending& ending, const Remains& remains, int case_index, const Job& job);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_CRASH_TEXT_H_
