// runner/session/fork_check.cc: decides after a hang whether the job continues without forks.
#include "runner/session/fork_check.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "reports/text.h"
#include "runner/base/print.h"

namespace dlpack_cts::runner {

void ForkCheck::Prepare(const std::string& hangs, JobFile& job) {
  if (state_ == State::kOpen) return;
  const bool forks = state_ == State::kForked;
  job.fork = forks;
  // A step that hangs only in forked processes is not known to hang in others.
  job.hangs = forks ? hangs : hangs_.path();
}

bool ForkCheck::NeedsAnotherWorker(const JobFile& job, const std::string& threads, const std::string& exchange) {
  if (!job.mutants.empty()) return false;
  if (state_ == State::kOpen && job.fork) {
    state_ = State::kTrial;
    threads_ = threads;
    exchange_ = exchange;
    return true;
  }
  if (state_ != State::kTrial || exchange != exchange_) return false;
  state_ = State::kForked;
  return true;
}

bool ForkCheck::ShowsLostThreads() {
  if (state_ != State::kTrial) return false;
  state_ = State::kUnforked;
  return true;
}

ProfileLines ForkCheck::Lines() const {
  if (state_ != State::kUnforked) return {};
  return {{.part = "forks",
           .id = "lost-threads",
           .words = fmt::format("hangs in a forked process, which does not have the library's {}; dlpack-cts ran it "
                                "without forks; set fork_safe = false in library.toml",
                                threads_)}};
}

void ForkCheck::TellOnce(const std::string& library) const {
  static std::mutex one_at_a_time;
  static std::set<std::string> told;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (!told.insert(library).second) return;
  Tell(fmt::format(
      "dlpack-cts: {} hung in a forked process, but not in a process that imported it itself\n"
      "  The library had {} before the fork, which a forked process does not have, so this is not a deviation. The run "
      "goes on without forks.\n"
      "  hint: set fork_safe = false in library.toml\n",
      library, OneLine(threads_)));
}

}  // namespace dlpack_cts::runner
