// worker/case_runner.h: runs all examples of one case and sums them up as an observation.
#ifndef DLPACK_CTS_WORKER_CASE_RUNNER_H_
#define DLPACK_CTS_WORKER_CASE_RUNNER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/case.h"
#include "harness/recipe/shrink_loop.h"
#include "results/result.h"
#include "worker/job.h"
#include "worker/symptom.h"
#include "worker/trial.h"

namespace dlpack_cts::worker {

/// A case's own seed, so that one case replays alone.
uint64_t CaseSeed(uint64_t run_seed, std::string_view case_id);

class CaseRunner {
 public:
  struct Extent {
    int examples;                     // of a property that does not sweep
    Effort effort;                    // of the rows of a table
    const std::vector<int>& killers;  // examples that are left out: they killed earlier processes
  };

  struct Tell {
    /// A breach before it is made smaller: the search may kill the process.
    std::function<void(const Observation&)> found;
    /// What has to be reduced to its cause, by a process that has not seen other exchanges; as it was seen here.
    std::function<void(const Finding&)> suspect;
  };

  CaseRunner(Trial& trial, Board& board, const Profile& profile, bool python, const Job& job, const Extent& extent,
             Tell tell)
      : trial_(trial),
        board_(board),
        profile_(profile),
        python_(python),
        job_(job),
        extent_(extent),
        tell_(std::move(tell)) {}

  /// Runs the case: its property, its table, or the job's one recipe.
  Observation Run(const Case& tested);

 private:
  /// The gravest that was seen, with what lay on the board then.
  struct Worst {
    Example example;
    Recipe recipe;
    Ledger ledger;
    std::deque<Recipe> earlier;    // that ran before it, where the trial remembers them
    std::vector<unsigned> needed;  // of its steps; empty until they are looked for
  };

  /// Examples that deviate in the same fact.
  struct Deviating {
    int64_t count = 0;
    Worst first;
  };

  std::optional<Observation> NotRun(const Case& tested) const;
  void RunProperty(const Case& tested, int examples);
  void RunWhole(const Case& tested);
  void RunTable(const Case& tested);
  Example Count(Example example);
  void CountReadings();
  void AddReadings(Observation& observation) const;
  void Keep(const Example& example);
  void ShrinkWorst(const Case& tested);
  void SuspectAll(const Case& tested) const;
  void Shrink(const Case& tested, const ShrinkBudget& budget, Worst& worst);
  void FindNeeded(const Case& tested, Worst& worst);
  void Suspect(const Worst& worst, int64_t count) const;
  bool IsAvoided(const Case& tested, const Recipe& recipe) const;
  void LeaveOut();
  bool ShowsEnough(const Case& tested) const;
  Observation SumUp(const Case& tested) const;
  void AddDeviations(Observation& observation) const;

  Trial& trial_;
  Board& board_;
  const Profile& profile_;
  const bool python_;
  const Job& job_;
  const Extent extent_;
  const Tell tell_;

  // Of the case that runs.
  double started_ = 0;
  int left_out_ = 0;     // examples for which nothing could be drawn that need not be avoided
  std::string said_;     // first words of what showed nothing
  std::string refused_;  // and of a polite refusal
  std::optional<Worst> worst_;
  std::map<int, Worst> lighter_;                            // by weight: the first of each that counts less
  std::map<std::string, Deviating> deviating_;              // by message
  std::map<std::pair<size_t, size_t>, uint64_t> readings_;  // by row of Ambiguities() and reading: examples
};

/// What people read of that exchange, where that fact has another value than is wanted.
Words WordsOf(std::string_view fact, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
              const std::string& got);

/// Fills words, ledger and recipe of an observation.
void Attach(const Recipe& recipe, const Ledger& ledger, Observation& observation);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_CASE_RUNNER_H_
