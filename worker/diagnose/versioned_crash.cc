// worker/diagnose/versioned_crash.cc: a library that crashes with each versioned struct.
#include "worker/diagnose/versioned_crash.h"

#include "harness/attribute/properties.h"

namespace dlpack_cts::worker {

bool CrashesByVersion(const Profile& profile, const Recipe& exchange) {
  const bool crashes = profile.takes_legacy != 0 && profile.takes_versioned == 0 &&
                       profile.versioned_refusal.outcome == Outcome::kNotRun;
  return crashes && exchange.kind == RecipeKind::kImport && VersionedStructs().values.front().Holds(exchange);
}

}  // namespace dlpack_cts::worker
