// runner/session/fork_check.h: whether a library hangs because of the fork of dlpack-cts, which takes its threads from
// it.
#ifndef DLPACK_CTS_RUNNER_SESSION_FORK_CHECK_H_
#define DLPACK_CTS_RUNNER_SESSION_FORK_CHECK_H_

#include <cstdint>
#include <string>

#include "results/hang_table.h"
#include "results/job.h"
#include "results/profile.h"

namespace dlpack_cts::runner {

/// The exchange that hangs first runs again in a worker that does not fork after the import. If it does not hang there,
/// nothing is wrong with the library: the job continues without forks, and so do later jobs.
class ForkCheck {
 public:
  /// Sets how the next worker runs the job. `hangs`: the job's table of known hangs.
  void Prepare(const std::string& hangs, JobFile& job);
  /// An exchange of the job has hung, for the first time in this worker. `threads`: what the fork took, in words.
  /// Whether another worker, which probes the library again, has to continue.
  bool NeedsAnotherWorker(const JobFile& job, const std::string& threads, const std::string& exchange);
  /// A case or the job has ended, or another exchange hangs. Whether this shows that only forked processes hang.
  bool ShowsLostThreads();

  /// For a library that hangs only in forked processes. Empty for others.
  ProfileLines Lines() const;
  /// Says what the user has to know and to do, once for each library, which may run in several sessions.
  void TellOnce(const std::string& library) const;

 private:
  enum class State : uint8_t {
    kOpen,      // no exchange has hung
    kTrial,     // the exchange runs again without a fork
    kUnforked,  // it did not hang there
    kForked,    // it hung there too
  };

  State state_ = State::kOpen;
  std::string threads_;   // "2 threads (pool-1, pool-2)"
  std::string exchange_;  // that hung first
  HangMemory hangs_;      // of the workers without forks
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_SESSION_FORK_CHECK_H_
