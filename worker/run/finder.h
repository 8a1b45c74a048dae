// worker/run/finder.h: reduces a failing example to what its first violated fact needs.
#ifndef DLPACK_CTS_WORKER_RUN_FINDER_H_
#define DLPACK_CTS_WORKER_RUN_FINDER_H_

#include <functional>
#include <optional>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "harness/minimise/minimise.h"
#include "results/cause.h"
#include "worker/diagnose/avoid.h"
#include "worker/diagnose/symptom.h"
#include "worker/run/trial.h"

namespace dlpack_cts::worker {

class Finder {
 public:
  static constexpr Budget kBudget = {600, 5};  // of one finding

  /// `killers`: candidates that crashed a process. `avoided`: exchanges that the case must not run.
  Finder(Trial& trial, const Profile& profile, const std::vector<Recipe>& killers, const std::vector<Avoided>& avoided,
         const Budget& budget)
      : trial_(trial), profile_(profile), killers_(killers), avoided_(avoided), budget_(budget) {}

  /// The first violated fact, and the fact that the case's judge named if neither is a consequence of the other. Empty
  /// if the recipe shows nothing wrong: then earlier exchanges in the same process caused it. If the reference
  /// contradicts the oracle: one finding that is `unjudged`. `swept`: it comes from a sweep, not from a case's judge.
  std::vector<Finding> Find(const Case& tested, const Recipe& recipe, bool swept);

 private:
  using Examine = std::function<Symptom(const Recipe& candidate)>;

  bool Kills(const Recipe& candidate) const;
  Minimised TellScalar(const Minimised& reduced, const Symptom& symptom, const Examine& examine) const;
  Minimised TellDestructor(const Minimised& reduced, const Symptom& symptom, const Examine& examine) const;
  Finding Follow(const Case& tested, const Recipe& recipe, Symptom symptom, const Examine& examine);
  std::optional<Finding> BeforeFault(const Case& tested, const Recipe& recipe, const Symptom& symptom);
  std::optional<Finding> Beside(const Case& tested, const Recipe& recipe, const Symptom& symptom, const Example& seen);
  Symptom ExaminePlainly(const Case& tested, Recipe& recipe);
  Recipe ShowMore(const Case& tested, const Recipe& recipe, Symptom& symptom);
  Recipe AtTheGuard(const Case& tested, const Recipe& recipe, const Symptom& symptom);

  Trial& trial_;
  const Profile& profile_;
  const std::vector<Recipe>& killers_;
  const std::vector<Avoided>& avoided_;
  const Budget budget_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_FINDER_H_
