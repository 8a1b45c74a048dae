// worker/diagnose/versioned_crash.h: a library that crashes with each versioned struct.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_VERSIONED_CRASH_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_VERSIONED_CRASH_H_

#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// Whether the exchange offers a versioned struct, and the probes crashed with one but imported a legacy one. Such an
/// exchange crashes whatever else it has, so it shows nothing about the failure of another one.
bool CrashesByVersion(const Profile& profile, const Recipe& exchange);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_VERSIONED_CRASH_H_
