// worker/diagnose/diagnosis.h: minimises findings of cases and finds their causes, in new processes.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_DIAGNOSIS_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_DIAGNOSIS_H_

#include <optional>
#include <string>
#include <vector>

#include "harness/attribute/properties.h"
#include "harness/case/profile.h"
#include "results/cause.h"
#include "worker/diagnose/crash.h"
#include "worker/diagnose/processes.h"
#include "worker/job/job.h"

namespace dlpack_cts::worker {

/// Diagnosis for one mutant, or for a library. It remembers its results, so that no cause is searched twice.
class Diagnosis {
 public:
  struct Setting {
    std::string mutant;         // name of the active mutant; empty without one
    double import_seconds = 0;  // time that each process needs to import the library, if it does not inherit it
  };

  Diagnosis(Processes& processes, const Job& job, const Profile& profile, const Setting& setting)
      : processes_(processes),
        job_(job),
        profile_(profile),
        mutant_(setting.mutant),
        crashes_(processes, job, profile, setting.import_seconds) {}

  /// The causes of a finding. If it does not appear in a new process: the finding with the earlier exchanges that it
  /// needs.
  std::vector<Finding> Find(const Finding& suspect);

  /// The causes of a crash.
  std::vector<Finding> FindCrash(const std::string& case_id, const Ending& ending, const Remains& remains);

  Remains MinimiseCrash(const std::string& case_id, const Ending& ending, const Remains& remains) {
    return crashes_.MinimiseValues(case_id, ending, remains);
  }

 private:
  /// A minimised finding, and the triggers of its example.
  struct Known {
    Finding finding;
    TriggerSet set;
  };

  std::vector<Finding> Reduce(const Finding& suspect, const Recipe& recipe);
  std::vector<Finding> OfCrash(const std::string& case_id, const Ending& ending, const Remains& remains, int64_t count);
  const Finding* KnownFor(const Finding& seen, const Recipe& recipe) const;
  void Remember(const Finding& found);
  std::vector<Finding> Accuse(std::vector<Finding> found);
  std::optional<Finding> ShownBy(Side side, const Finding& found);
  std::optional<Finding> WithHistory(const Finding& seen);
  std::vector<Finding> BehindOthers(const Finding& seen, const Recipe& recipe);
  std::vector<Finding> Alone(const Finding& seen, const Recipe& recipe, int processes);
  Finding AfterFewest(const Finding& seen, Finding found);
  std::vector<Finding> Controlled(std::vector<Finding> found);
  std::optional<std::vector<Finding>> OwnCauses(const Finding& found);

  Processes& processes_;
  const Job& job_;
  const Profile& profile_;
  const std::string mutant_;
  CrashFinder crashes_;
  std::vector<Known> known_;  // only those found by comparison with the reference
  int histories_ = 0;         // cases that ran again to record the earlier exchanges
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_DIAGNOSIS_H_
