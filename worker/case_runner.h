// worker/case_runner.h: runs all examples of one case and sums them up as an observation.
#ifndef DLPACK_CTS_WORKER_CASE_RUNNER_H_
#define DLPACK_CTS_WORKER_CASE_RUNNER_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "harness/case/case.h"
#include "results/result.h"
#include "worker/job.h"
#include "worker/trial.h"

namespace dlpack_cts::worker {

/// A case's own seed, so that one case replays alone.
uint64_t CaseSeed(uint64_t run_seed, std::string_view case_id);

class CaseRunner {
 public:
  /// `examples` of a property that does not sweep. `found` is told of a breach before it is made smaller: the search
  /// may kill the process.
  CaseRunner(Trial& trial, Board& board, const Profile& profile, bool python, const Job& job, int examples,
             std::function<void(const Observation&)> found)
      : trial_(trial),
        board_(board),
        profile_(profile),
        python_(python),
        job_(job),
        examples_(examples),
        found_(std::move(found)) {}

  /// Runs the case: its property, its table, or the job's one recipe.
  Observation Run(const Case& tested);

 private:
  /// The gravest that was seen, with what lay on the board then.
  struct Worst {
    Example example;
    Recipe recipe;
    Ledger ledger;
  };

  std::optional<Observation> NotRun(const Case& tested) const;
  void RunProperty(const Case& tested, int examples);
  void RunTable(const Case& tested);
  Example Count(const Example& example);
  void Keep(const Example& example);
  void ShrinkWorst(const Case& tested);
  Observation SumUp(const Case& tested) const;

  Trial& trial_;
  Board& board_;
  const Profile& profile_;
  const bool python_;
  const Job& job_;
  const int examples_;
  const std::function<void(const Observation&)> found_;

  // Of the case that runs.
  double started_ = 0;
  std::string said_;
  std::optional<Worst> worst_;
};

/// Fills ledger and recipe of an observation.
void Attach(const Recipe& recipe, const Ledger& ledger, Observation& observation);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_CASE_RUNNER_H_
