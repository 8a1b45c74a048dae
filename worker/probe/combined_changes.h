// worker/probe/combined_changes.h: two values together that a library may not support, although it supports each alone.
#ifndef DLPACK_CTS_WORKER_PROBE_COMBINED_CHANGES_H_
#define DLPACK_CTS_WORKER_PROBE_COMBINED_CHANGES_H_

#include <span>

#include "base/terms.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"
#include "worker/probe/limit_changes.h"

namespace dlpack_cts::worker {

/// No elements in several dimensions, copies of other than simple tensors, and keywords without max_version.
std::span<const Change> CombinedChanges();

/// IsDeclared(), ChangeOffer() and ChangeRequest() of these changes.
bool IsDeclaredTogether(const Change& change, Side side, const Profile& profile);
bool CombineOffer(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control);
bool CombineRequest(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_COMBINED_CHANGES_H_
