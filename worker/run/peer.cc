// worker/run/peer.cc: runs the reference, and compares all facts of the subject with it.
#include "worker/run/peer.h"

namespace dlpack_cts::worker {

const std::vector<Deviation>& Peer::Compare(const Recipe& recipe, const Ledger& subject, const Profile& profile) {
  dlpack_cts::Compare({recipe, subject, ledger_, profile}, deviations_);
  return deviations_;
}

void Peer::Learn(const Recipe& recipe, const Ledger& subject, Profile& profile) const {
  dlpack_cts::Learn({recipe, subject, ledger_, profile}, profile.choices);
}

}  // namespace dlpack_cts::worker
