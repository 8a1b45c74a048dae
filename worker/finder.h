// worker/finder.h: reduces a failing example to what its symptom needs.
#ifndef DLPACK_CTS_WORKER_FINDER_H_
#define DLPACK_CTS_WORKER_FINDER_H_

#include <functional>
#include <optional>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "results/cause.h"
#include "worker/symptom.h"
#include "worker/trial.h"

namespace dlpack_cts::worker {

class Finder {
 public:
  /// The trial has a reference beside its subject.
  Finder(Trial& trial, const Profile& profile) : trial_(trial), profile_(profile) {}

  /// The first fact that is wrong; and the one that the case's judge named, where that is another one, and neither
  /// follows from the other. None where the recipe shows nothing wrong: then what was seen came of earlier exchanges in
  /// the same process.
  std::vector<Finding> Find(const Case& tested, const Recipe& recipe);

 private:
  using Examine = std::function<Symptom(const Recipe& candidate)>;

  Finding Follow(const Case& tested, const Recipe& recipe, Symptom symptom, const Examine& examine, Recipe example);
  std::optional<Finding> Beside(const Case& tested, const Recipe& recipe, const Symptom& symptom, const Example& seen);
  Recipe ShowMore(const Case& tested, const Recipe& recipe, Symptom& symptom);

  Trial& trial_;
  const Profile& profile_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_FINDER_H_
