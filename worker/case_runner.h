// worker/case_runner.h: runs all examples of one case and sums them up as an observation.
#ifndef DLPACK_CTS_WORKER_CASE_RUNNER_H_
#define DLPACK_CTS_WORKER_CASE_RUNNER_H_

#include <cstdint>
#include <optional>

#include "harness/case/case.h"
#include "results/result.h"
#include "worker/job.h"
#include "worker/trial.h"

namespace dlpack_cts {

/// A case's own seed, so that one case replays alone.
uint64_t CaseSeed(uint64_t run_seed, std::string_view case_id);

class CaseRunner {
 public:
  CaseRunner(Trial& trial, Board& board, const Subject& subject, const Job& job)
      : trial_(trial), board_(board), subject_(subject), job_(job) {}

  /// Runs the case: its property, its table, or one given recipe. `shrinks` is false where a smaller recipe killed the
  /// process: what was found is then reported as it is.
  Observation Run(const Case& tested, const std::optional<Recipe>& replay, bool shrinks = true);

 private:
  std::optional<Observation> NotRun(const Case& tested) const;
  void RunProperty(const Case& tested, int examples);
  void RunTable(const Case& tested);
  Example Count(const Example& example);
  void Keep(const Example& example);
  void ShrinkWorst(const Case& tested);
  Observation SumUp(const Case& tested) const;

  Trial& trial_;
  Board& board_;
  const Subject& subject_;
  const Job& job_;

  // Of the case that runs.
  bool shrinks_ = true;
  int64_t run_ = 0;
  int64_t refused_ = 0;
  int64_t nothing_ = 0;
  int64_t held_ = 0;
  std::string said_;
  std::optional<Example> worst_;
  Recipe worst_recipe_{};
};

/// Fills ledger and recipe of an observation from the board.
void Attach(const Recipe& recipe, const Ledger& ledger, Observation& observation);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_CASE_RUNNER_H_
