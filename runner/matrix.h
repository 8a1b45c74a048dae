// runner/matrix.h: runs the suites on mutants of the reference, several at a time, and sums up each of them.
#ifndef DLPACK_CTS_RUNNER_MATRIX_H_
#define DLPACK_CTS_RUNNER_MATRIX_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runner/causes.h"
#include "runner/judge.h"

namespace dlpack_cts::runner {

/// What a case said of a mutant. The mutant is killed by the cases that say something else than of the reference, or of
/// the shape that it is applied to.
struct Saying {
  Verdict verdict;
  std::string message;
  double seconds;
  std::vector<std::string> deviates = {};  // of a case that judges whole ledgers: how from the reference
};
/// By case.
using Seen = std::map<std::string, Saying>;

/// What the cases said of one mutant, with the causes of that, and who stands behind which.
struct Told {
  Seen first;                      // before any case ran again
  Seen seen = {};                  // in the end
  std::vector<Finding> findings;   // of all rounds
  std::vector<Cause> causes = {};  // worst first
  std::vector<Result> results = {};
};

/// What runs: the fields of `job` hold for all, its cases for one library; `pair_cases` need two.
struct MatrixJob {
  const Library& reference;
  nlohmann::json job;
  std::vector<std::string> pair_cases;
};

/// Runs the reference (or the shape that `job` names), then all mutants, and calls `sum_up` for each mutant, with its
/// index and what was said of it and of the reference: on several threads, in no order. What was said of the reference
/// is the result. Throws Failure where that was not possible, or was interrupted.
Seen RunMatrix(const Desk& desk, const std::vector<MutantInfo>& mutants, const MatrixJob& matrix,
               const std::function<void(size_t index, const Told& told, const Seen& usual)>& sum_up);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_MATRIX_H_
