// worker/diagnose/crash.h: minimises an exchange that crashes its process, and finds the cause.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_CRASH_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_CRASH_H_

#include <string>
#include <vector>

#include "harness/case/profile.h"
#include "harness/minimise/minimise.h"
#include "results/cause.h"
#include "worker/diagnose/processes.h"
#include "worker/diagnose/violated_fact.h"
#include "worker/job/job.h"

namespace dlpack_cts::worker {

/// Which failure is searched: the first violated fact, or the crash.
enum class Look : uint8_t { kFirstFact, kCrashItself };

ViolatedFact ViolatedFactOf(const Ending& ending, const Remains& remains, const Profile& profile, Look look);

/// A candidate that crashes runs in its own process.
class CrashFinder {
 public:
  /// `import_seconds`: what each process takes to import the library, if it does not inherit it.
  CrashFinder(Processes& processes, const Job& job, const Profile& profile, double import_seconds)
      : processes_(processes), job_(job), profile_(profile), import_seconds_(import_seconds) {}

  /// Minimises values, with the same steps, while the crash stays the same. Returns what the smallest exchange left,
  /// and the steps that the crash needs. A hang takes the whole time limit at each try, so it is not minimised.
  Remains MinimiseValues(const std::string& case_id, const Ending& ending, const Remains& remains);

  /// The first violated fact, and the crash too if it is not a consequence of that fact.
  std::vector<Finding> Find(const std::string& case_id, const Ending& ending, const Remains& remains);

 private:
  /// How an exchange crashed its process, and its minimised exchange.
  struct Known {
    ViolatedFact violated;
    Minimised minimised;
  };

  ViolatedFact CrashOf(const std::string& case_id, const Recipe& recipe, double seconds, Look look);
  ViolatedFact CrashOf(const Tried& tried, Look look) const;
  bool CrashesAlone(const std::string& case_id, const Recipe& exchange, double seconds);
  Known Follow(const std::string& case_id, const Ending& ending, const Remains& remains, Look look);
  Minimised Needs(const std::string& case_id, const Ending& ending, const Remains& remains,
                  const ViolatedFact& violated, Look look);
  const Known* KnownFor(const ViolatedFact& violated, const Minimised& whole) const;
  double Seconds(const std::string& case_id, const Ending& ending) const;
  /// The budget of a search if each try starts a process.
  Budget Affordable(Budget budget) const;

  Processes& processes_;
  const Job& job_;
  const Profile& profile_;
  const double import_seconds_;
  std::vector<Known> known_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_CRASH_H_
