// worker/profile_words.h: what the probes found out about a library, for the people who mend it.
#ifndef DLPACK_CTS_WORKER_PROFILE_WORDS_H_
#define DLPACK_CTS_WORKER_PROFILE_WORDS_H_

#include "harness/case/profile.h"
#include "results/profile.h"

namespace dlpack_cts::worker {

/// What it takes, what it makes, and which of the freedoms it uses that are constants of a library.
ProfileLines WordsOf(const Profile& profile);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROFILE_WORDS_H_
