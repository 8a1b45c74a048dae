// worker/probe.h: finds out what a subject can do, before the first case.
#ifndef DLPACK_CTS_WORKER_PROBE_H_
#define DLPACK_CTS_WORKER_PROBE_H_

#include "adapters/interface/engine.h"
#include "worker/board.h"
#include "worker/peer.h"

namespace dlpack_cts::worker {

/// Number of probes. Each may kill the process; board.probe tells which one ran, and after SkipProbe the next process
/// goes on behind it.
int ProbeCount();

/// Before the first probe: what the subject declares, and of what it says nothing about, everything.
void ExpectAll(Profile& profile);

/// Goes on behind the probe that killed its process. A peculiarity that kills counts as "no", and the cases about it
/// say so. A plain exchange that kills counts as "yes": were it "no", every case would be blocked, or ask for another
/// exchange, and none would meet it.
void SkipProbe(Board& board);

/// Runs the probes from board.probe on and writes board.profile. Claims have to be there already. Beside `peer` each
/// exchange also tells which ways of its own the subject has (WaysSeen).
void RunProbes(Subject& subject, Engine& engine, Peer& peer, Board& board);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_H_
