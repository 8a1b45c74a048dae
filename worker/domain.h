// worker/domain.h: what all examples of a case have in common, without which its judge knows nothing.
#ifndef DLPACK_CTS_WORKER_DOMAIN_H_
#define DLPACK_CTS_WORKER_DOMAIN_H_

#include <vector>

#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "harness/judge/coordinates.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// A judge looks at what its case draws: one that asks for another device says of any refusal that it is one of a
/// device. So a plainer example that the case never draws would have the judge say what is not true.
class Domain {
 public:
  /// Of the case, as far as `example` is one of it, and with what the profile says that the library takes.
  Domain(const Case& tested, const Profile& profile, const Recipe& example);

  /// True where the candidate still is what the case is about, and nothing that the library takes never.
  bool Holds(const Recipe& candidate) const;

 private:
  const Profile& profile_;
  std::vector<PeculiaritySet> needed_;  // of each of these sets one
  bool ranks_;                          // the example's ranks are the profile's
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DOMAIN_H_
