// runner/run/matrix.h: runs the suites on mutants of the reference, several at a time.
#ifndef DLPACK_CTS_RUNNER_RUN_MATRIX_H_
#define DLPACK_CTS_RUNNER_RUN_MATRIX_H_

#include <functional>
#include <string>
#include <vector>

#include "results/job.h"
#include "results/limit.h"
#include "runner/catalogue/catalogue.h"
#include "runner/environment/library.h"
#include "runner/verdict/rounds.h"

namespace dlpack_cts::runner {

/// The cases to run. The fields of `job` apply to all of them. Its own cases need one library, `pair_cases` need two.
struct MatrixJob {
  const Library& reference;
  JobFile job;
  std::vector<std::string> pair_cases;
  bool asks_survivors;  // a mutant that no case reports is asked for its limitations
};

/// What is known of a mutant after the last round.
struct MutantRun {
  Rounds rounds;
  std::vector<Limit> limits = {};  // of a limited variant, and of a mutant that no case reports
};

/// Runs the reference (or the shape that `job` names), then all mutants. Calls `sum_up` for each mutant, with its
/// index, its run and the results of the reference: on several threads, in any order. Returns the results of the
/// reference. Throws Failure if that is not possible, or if it is interrupted.
std::vector<Result> RunMatrix(
    const Catalogue& catalogue, const std::vector<MutantInfo>& mutants, const MatrixJob& matrix,
    const std::function<void(size_t index, const MutantRun& run, const std::vector<Result>& usual)>& sum_up);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_MATRIX_H_
