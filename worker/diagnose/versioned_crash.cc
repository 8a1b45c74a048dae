// worker/diagnose/versioned_crash.cc: a library that crashes with each versioned struct.
#include "worker/diagnose/versioned_crash.h"

#include <algorithm>
#include <span>

namespace dlpack_cts::worker {

bool CrashesByVersion(const Profile& profile, const Recipe& exchange) {
  const bool crashes = profile.takes_legacy != 0 && profile.takes_versioned == 0 &&
                       profile.versioned_refusal.outcome == Outcome::kNotRun;
  const std::span<const Offer> offers(exchange.offers, exchange.used.offers);
  return crashes && exchange.kind == RecipeKind::kImport &&
         std::ranges::any_of(offers, [](const Offer& offer) { return offer.kind == StructKind::kVersioned; });
}

}  // namespace dlpack_cts::worker
