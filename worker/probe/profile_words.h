// worker/probe/profile_words.h: what the probes found out about a library, for its maintainers.
#ifndef DLPACK_CTS_WORKER_PROBE_PROFILE_WORDS_H_
#define DLPACK_CTS_WORKER_PROBE_PROFILE_WORDS_H_

#include "harness/case/profile.h"
#include "results/profile.h"

namespace dlpack_cts::worker {

/// What the library imports and exports, and its observed choices that are constant.
ProfileLines WordsOf(const Profile& profile);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_PROFILE_WORDS_H_
