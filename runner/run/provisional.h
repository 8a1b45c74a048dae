// runner/run/provisional.h: results.ndjson while the run goes on.
#ifndef DLPACK_CTS_RUNNER_RUN_PROVISIONAL_H_
#define DLPACK_CTS_RUNNER_RUN_PROVISIONAL_H_

#include <mutex>
#include <string>

#include "results/whole_file.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"
#include "runner/session/session.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {

/// In --out: the results.ndjson of an earlier run, until this run has written its own.
inline constexpr char kPreviousResults[] = "results.previous.ndjson";

/// Writes a line for each case when it ends, so that a driver that is killed loses at most the running case. The first
/// result replaces an earlier file. What cannot be written is left out: the final file reports the reason.
class ProvisionalFile {
 public:
  /// Without --out nothing is written.
  ProvisionalFile(const Catalogue& catalogue, const Assignment& assignment);

  /// Several threads may call it.
  void Add(const Observation& observation, const Outcome& outcome);

 private:
  void Begin(const Outcome& outcome);

  const Catalogue& catalogue_;
  const Assignment& assignment_;
  Expectations expectations_;  // a copy: it notes which entries were met
  std::mutex mutex_;
  GrowingFile file_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_PROVISIONAL_H_
