// worker/pair.h: the profile of two libraries of which one gives what the other takes.
#ifndef DLPACK_CTS_WORKER_PAIR_H_
#define DLPACK_CTS_WORKER_PAIR_H_

#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// What a pair can do: the one makes arrays, the other one does everything that a consumer does with them.
Profile PairOf(const Profile& producer, const Profile& consumer);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PAIR_H_
