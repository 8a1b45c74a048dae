// worker/run/case_runner.h: runs all examples of one case, and makes an observation of the results.
#ifndef DLPACK_CTS_WORKER_RUN_CASE_RUNNER_H_
#define DLPACK_CTS_WORKER_RUN_CASE_RUNNER_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/case.h"
#include "harness/choices/choice.h"
#include "harness/minimise/minimise.h"
#include "results/result.h"
#include "worker/diagnose/known_hang.h"
#include "worker/diagnose/violated_fact.h"
#include "worker/job/job.h"
#include "worker/run/judged_values.h"
#include "worker/run/trial.h"

namespace dlpack_cts::worker {

/// Examples of a case of Examples::kSweep, for each one of --examples.
inline constexpr int kSweepFactor = 3;

/// The seed of a case, so that the case can be replayed alone.
uint64_t CaseSeed(uint64_t run_seed, std::string_view case_id);

class CaseRunner {
 public:
  struct Extent {
    int examples;                         // of a property that is not a sweep
    Effort effort;                        // for the rows of a table
    const std::vector<int>& crashing;     // examples that are left out because they crashed earlier processes
    const std::vector<KnownHang>& hangs;  // examples that may show them are left out
    bool counts_all = false;              // the observation lists all values that examples had
  };

  struct Tell {
    /// Called with a violation before it is minimised, because the search may crash the process.
    std::function<void(const Observation&)> found;
    /// Called with a finding. A process that has run no other exchange minimises it to its cause.
    std::function<void(const Finding&)> suspect;
  };

  CaseRunner(Trial& trial, CrashRecord& crash_record, const Profile& profile, bool python, const Job& job,
             const Extent& extent, Tell tell)
      : trial_(trial),
        crash_record_(crash_record),
        profile_(profile),
        python_(python),
        job_(job),
        extent_(extent),
        tell_(std::move(tell)) {}

  struct Ran {
    Observation observation;
    const KnownHang* blocked_by = nullptr;  // the hang for which the case was BLOCKED; NULL if it was not
  };

  /// Runs the case: its property, its table, or the job's one recipe.
  Ran Run(const Case& tested);

 private:
  /// The most severe example so far, with the contents of the crash record at that time.
  struct Worst {
    Example example;
    Recipe recipe;
    Ledger ledger;
    std::vector<Recipe> earlier;   // the recipes that ran before it, if the trial keeps them
    std::vector<unsigned> needed;  // indices of the needed steps; empty until FindNeeded()
  };

  /// Examples in which the same fact differs from the reference.
  struct Deviating {
    int64_t count = 0;
    Worst first;
  };

  std::optional<Observation> NotRun(const Case& tested) const;
  void RunProperty(const Case& tested, int examples);
  void RunWhole(const Case& tested);
  void RunTable(const Case& tested);
  Example Count(Example example);
  void CountValues(const Example& example);
  void CountReadings();
  void AddReadings(Observation& observation) const;
  std::vector<Recipe> Earlier() const;
  void Keep(const Example& example);
  void ShrinkWorst(const Case& tested);
  void SuspectAll(const Case& tested) const;
  void Shrink(const Case& tested, const Budget& budget, Worst& worst);
  void FindNeeded(Worst& worst);
  void Suspect(const Worst& worst, int64_t count) const;
  bool IsAvoided(const Case& tested, const Recipe& recipe);
  void LeaveOut();
  bool ShowsEnough(const Case& tested) const;
  Observation SumUp(const Case& tested) const;
  void AddDeviations(Observation& observation) const;

  Trial& trial_;
  CrashRecord& crash_record_;
  const Profile& profile_;
  const bool python_;
  const Job& job_;
  const Extent extent_;
  const Tell tell_;

  // Of the running case.
  double started_ = 0;
  int left_out_ = 0;                         // examples without a recipe that need not be avoided
  const KnownHang* avoided_hang_ = nullptr;  // the first one that some recipe may show
  std::string said_;                         // text of the first example that was not conclusive
  std::string refused_;                      // text of the first refusal
  std::optional<Worst> worst_;
  std::map<int, Worst> lighter_;                // the first less severe example of each weight
  std::map<std::string, Deviating> deviating_;  // by message
  JudgedValues values_;
  bool lists_values_ = false;                             // whether the result tells the shares of values
  std::vector<std::array<int64_t, kReadings>> readings_;  // examples, by row of Questions() and by reading
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_CASE_RUNNER_H_
