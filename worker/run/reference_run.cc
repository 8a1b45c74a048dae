// worker/run/reference_run.cc: runs the reference, and compares all facts of the subject with it.
#include "worker/run/reference_run.h"

namespace dlpack_cts::worker {

const std::vector<Deviation>& ReferenceRun::Compare(const Recipe& recipe, const Ledger& subject,
                                                    const Profile& profile) {
  dlpack_cts::Compare({recipe, subject, ledger_, profile}, deviations_);
  return deviations_;
}

void ReferenceRun::Learn(const Recipe& recipe, const Ledger& subject, Profile& profile) const {
  dlpack_cts::Learn({recipe, subject, ledger_, profile}, profile.choices);
}

}  // namespace dlpack_cts::worker
