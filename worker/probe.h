// worker/probe.h: finds out what a subject can do, before the first case.
#ifndef DLPACK_CTS_WORKER_PROBE_H_
#define DLPACK_CTS_WORKER_PROBE_H_

#include "adapters/interface/engine.h"
#include "worker/board.h"

namespace dlpack_cts::worker {

/// Number of probes. Each may kill the process; board.probe tells which one ran, and the next process goes on behind
/// it.
int ProbeCount();

/// Runs the probes from board.probe on and writes board.profile. Claims have to be there already.
void RunProbes(Subject& subject, Engine& engine, Board& board);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_H_
