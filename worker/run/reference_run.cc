// worker/run/reference_run.cc: runs the reference, and compares all facts of the subject with it.
#include "worker/run/reference_run.h"

#include <algorithm>
#include <span>

namespace dlpack_cts::worker {

void ReferenceRun::Run(const Recipe& recipe) {
  const std::span<const Offer> offers(recipe.offers, recipe.used.offers);
  const auto on_device = [](const Offer& offer) { return offer.placement == Placement::kDevice; };
  accept_cuda_(std::any_of(offers.begin(), offers.end(), on_device));
  engine_.Run(recipe, ledger_);
}

const std::vector<Deviation>& ReferenceRun::Compare(const Recipe& recipe, const Ledger& subject,
                                                    const Profile& profile) {
  dlpack_cts::Compare({recipe, subject, ledger_, profile}, deviations_);
  return deviations_;
}

void ReferenceRun::Learn(const Recipe& recipe, const Ledger& subject, Profile& profile) const {
  dlpack_cts::Learn({recipe, subject, ledger_, profile}, profile.choices);
}

}  // namespace dlpack_cts::worker
