// worker/diagnose/domain.h: what all examples of a case have in common, so that its judge can judge them.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_DOMAIN_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_DOMAIN_H_

#include <vector>

#include "harness/attribute/properties.h"
#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// A judge relies on what its case generates: a case that requests another device attributes every refusal to the
/// device. So a simplified example that the case never generates could get a wrong verdict. A judge also compares two
/// exports of one recipe: arguments that are equal in both calls of every example stay equal.
class Domain {
 public:
  /// `example` belongs to the case. `profile` is what the library supports.
  Domain(const Case& tested, const Profile& profile, const Recipe& example);

  /// True if the case is still about the candidate, and the library supports it.
  bool Holds(const Recipe& candidate) const;

 private:
  /// An argument of the calls 0 and `call` of a recipe.
  struct Tie {
    int call;
    Argument Call::* argument;

    bool IsKeptBy(const Recipe& recipe) const;
  };

  const Profile& profile_;
  std::vector<TriggerSet> needed_;  // one of each of these sets
  std::vector<Tie> ties_;           // both calls have the same value
  bool ranks_;                      // the ranks of the examples are those of the profile
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_DOMAIN_H_
