// worker/probe/pair.h: the profile of a pair, in which one library exports and the other one imports.
#ifndef DLPACK_CTS_WORKER_PROBE_PAIR_H_
#define DLPACK_CTS_WORKER_PROBE_PAIR_H_

#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// What the pair supports: the producer makes arrays, and the consumer imports and uses them.
Profile PairOf(const Profile& producer, const Profile& consumer);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_PAIR_H_
