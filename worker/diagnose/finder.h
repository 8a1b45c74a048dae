// worker/diagnose/finder.h: minimises a failing example to what its first violated fact needs.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_FINDER_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_FINDER_H_

#include <optional>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "harness/minimise/minimise.h"
#include "results/cause.h"
#include "worker/diagnose/examiner.h"
#include "worker/job/avoid.h"

namespace dlpack_cts::worker {

/// Finds the causes of one failing example of a case.
class Finder {
 public:
  static constexpr Budget kBudget = {600, 5};  // for one finding
  /// On a device, where a new process makes a context first, and a library may compile a kernel for each type and rank.
  static constexpr Budget kDeviceBudget = {600, 25};

  /// What limits the search.
  struct Limits {
    const std::vector<Recipe>& crashing;  // candidates that crashed a process
    const std::vector<Avoided>& avoided;  // exchanges that the case must not run
    Budget budget = kBudget;
  };

  Finder(Examiner& examiner, const Case& tested, const Profile& profile, const Limits& limits)
      : examiner_(examiner), tested_(tested), profile_(profile), limits_(limits) {}

  /// The first violated fact, and the fact that the case's judge named if neither is a consequence of the other. Empty
  /// if the recipe shows nothing wrong: then earlier exchanges in the same process caused it. If the reference
  /// contradicts the oracle: one finding that is `unjudged`. `swept`: it comes from a sweep, not from a case's judge.
  std::vector<Finding> Find(const Recipe& recipe, bool swept);

 private:
  /// First violated facts of one kind, and the recipe that shows them.
  struct Shown {
    Recipe recipe;
    ViolatedFact violated;
  };

  ViolatedFact Examine(const Recipe& recipe, const Focus& focus) { return examiner_.Examine(recipe, focus).violated; }
  bool Kills(const Recipe& candidate) const;
  bool NeedsScalar(const Minimised& minimised, const ViolatedFact& violated, const Focus& focus);
  bool NeedsDeviceQuestion(const Recipe& recipe, const ViolatedFact& violated, const Focus& focus);
  Minimised TellDestructor(const Minimised& minimised, const ViolatedFact& violated, const Focus& focus);
  Finding Follow(const Recipe& recipe, ViolatedFact violated, const Focus& focus);
  std::optional<Finding> BeforeFault(const Recipe& recipe, const ViolatedFact& violated);
  std::optional<Finding> Beside(const Recipe& recipe, const Examined& seen);
  Shown Plainly(const Recipe& recipe);
  Shown ShowMore(const Recipe& recipe, const ViolatedFact& violated);
  Recipe AtTheGuard(const Recipe& recipe, const ViolatedFact& violated);

  Examiner& examiner_;
  const Case& tested_;
  const Profile& profile_;
  const Limits limits_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_FINDER_H_
