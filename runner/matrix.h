// runner/matrix.h: runs the suites on mutants of the reference, several at a time, and summarises each of them.
#ifndef DLPACK_CTS_RUNNER_MATRIX_H_
#define DLPACK_CTS_RUNNER_MATRIX_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runner/causes.h"
#include "runner/judge.h"

namespace dlpack_cts::runner {

/// What a case reported for a mutant. A mutant is killed by the cases that report something else than for the
/// reference, or for the conforming variant (shape) that it is applied to.
struct Saying {
  Verdict verdict;
  std::string message;
  double seconds;
  std::vector<std::string> deviates = {};  // only for a sweep: the differences from the reference
};
/// By case.
using Seen = std::map<std::string, Saying>;

/// What the cases reported for one mutant, its causes, and which result each cause explains.
struct Told {
  Seen first;                      // before any case ran again
  Seen seen = {};                  // after the last round
  std::vector<Finding> findings;   // of all rounds
  std::vector<Cause> causes = {};  // worst first
  std::vector<Result> results = {};
};

/// What runs. The fields of `job` apply to all cases. Its cases need one library, `pair_cases` need two.
struct MatrixJob {
  const Library& reference;
  nlohmann::json job;
  std::vector<std::string> pair_cases;
};

/// Runs the reference (or the shape that `job` names), then all mutants. Calls `sum_up` for each mutant, with its
/// index, its reports and those of the reference: on several threads, in any order. Returns the reports of the
/// reference. Throws Failure if that is not possible, or if it is interrupted.
Seen RunMatrix(const Desk& desk, const std::vector<MutantInfo>& mutants, const MatrixJob& matrix,
               const std::function<void(size_t index, const Told& told, const Seen& usual)>& sum_up);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_MATRIX_H_
