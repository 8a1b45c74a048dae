// runner/run/test_run.h: one library or pair that is tested part by part, in several rounds, on several threads.
#ifndef DLPACK_CTS_RUNNER_RUN_TEST_RUN_H_
#define DLPACK_CTS_RUNNER_RUN_TEST_RUN_H_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "results/hang_table.h"
#include "runner/base/progress.h"
#include "runner/run/assignment.h"
#include "runner/run/provisional.h"
#include "runner/session/session.h"
#include "runner/verdict/rounds.h"

namespace dlpack_cts::runner {

struct Assembled;

/// Some of the cases. Parts are independent and may run at the same time.
struct Part {
  std::vector<std::string> cases = {};
  Avoid avoid = {};  // set only in a later round
  std::vector<Observation> seen = {};
  std::vector<Finding> findings = {};
  Outcome outcome = {};
  std::optional<Failure> failure = {};    // why it ended early
  std::unique_ptr<Session> session = {};  // its worker may run another part
};

/// Divides the cases into at most `most` parts of complete suites that take about the same time, the longest first, so
/// that workers end together. A sweep counts as a suite. The order of the cases in a part stays. Without a case, as in
/// some shards, there is one empty part: its worker says which version of the library it is.
std::vector<std::vector<std::string>> Cut(const std::vector<CaseInfo>& known, const std::vector<std::string>& cases,
                                          int most);

/// Finds or makes the environment of one library or pair, which may take minutes. Throws Failure.
using Prepare = std::function<Assignment()>;

/// Receives what became of a library or pair: its results, or, if it could not be tested, why. One of the two is NULL;
/// both are if the run was interrupted before.
using Ended = std::function<void(const Assembled* assembled, const Failure* failure)>;

class TestRun {
 public:
  TestRun(Prepare prepare, const std::vector<std::vector<std::string>>& parts);

  /// Returns true if it was the last part of its round. After `most` parts in which the library could not be tested at
  /// all, the remaining parts do not run.
  bool Run(const Catalogue& catalogue, size_t index, int most, Progress& progress);

  /// Call it when all parts of the round have run. Adds the parts of the next round, at most `most`, and returns their
  /// indices: none if no case has to run again.
  std::vector<size_t> EndRound(const Catalogue& catalogue, int most, Progress& progress);

  /// Call it once, after all rounds. Returns the exit status. `ended` is called before that.
  int Publish(const Catalogue& catalogue, const Ended& ended);

 private:
  std::unique_ptr<Session> WaitingSession();
  void Keep(Part& part);
  bool GivenUp(int most, Part& part);
  Assignment* Prepared(const Catalogue& catalogue);

  Prepare prepare_;
  std::vector<Part> parts_;
  size_t ended_ = 0;  // finished parts of all rounds
  std::atomic<size_t> left_;
  std::mutex keeping_;
  std::vector<std::unique_ptr<Session>> waiting_;
  std::vector<Failure> failures_;
  std::mutex preparing_;
  std::optional<Assignment> assignment_;
  std::unique_ptr<ProvisionalFile> lines_;
  HangMemory hangs_;
  std::optional<Rounds> rounds_;
  std::optional<Failure> failure_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_TEST_RUN_H_
