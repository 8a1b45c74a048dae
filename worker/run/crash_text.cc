// worker/run/crash_text.cc: makes an observation from a crash, a timeout or an exceeded memory limit.
#include "worker/run/crash_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/case/case.h"
#include "harness/ledger/facts.h"
#include "results/text.h"
#include "worker/process/thrown.h"
#include "worker/run/case_runner.h"

namespace dlpack_cts::worker {
namespace {

/// The text of Observation::ended. Empty if the process itself was healthy, and only its report was lost or damaged.
std::string EndText(const Ending& ending) {
  if (ending.end == End::kSignal || ending.end == End::kThrew) return SignalName(ending.code);
  return ending.end == End::kExit ? fmt::format("exit {}", ending.code) : "";
}

/// What the exchange was doing when the process ended.
std::string DuringText(const Remains& remains) {
  const int step = remains.ledger.step;
  if (remains.example < 0 || step < 0 || step > kSteps) return "";
  return step == kSteps ? " while all objects were dropped"
                        : fmt::format(" during {}", ToText(StepAtEnd(remains.recipe, remains.ledger)));
}

/// A message must be the same in every run. The text of an exception may vary, so it is in `got`.
std::string TypeOf(const std::string& thrown) { return thrown.substr(0, thrown.find(": ")); }

std::string Message(const Ending& ending, const Remains& remains, const Job& job) {
  const std::string during = ending.stillborn ? " before it ran a case" : DuringText(remains);
  switch (ending.end) {
    case End::kTimeout:
      return "did not end within its time limit" + during;
    case End::kMemory:
      return fmt::format("exceeded the memory limit of {} MB{}", job.memory_bytes >> 20, during);
    case End::kTraced:
      return "made itself traced by ptrace and stopped" + during;
    case End::kMute:
      return "closed a file descriptor of the test program";
    case End::kScribbled:
      return "overwrote memory of the test program" + during;
    case End::kSilent:
      return "the result was lost: the library wrote to a file descriptor of the test program";
    case End::kThrew:
      if (ending.thrown == kNoException) return kNoException + during;
      return fmt::format("a C++ exception escaped from the library{}: {}", during, TypeOf(ending.thrown));
    case End::kSignal:
      return fmt::format("terminated by {}{}", SignalName(ending.code), during);
    case End::kDone:
    case End::kShortage:
    case End::kExit:
      break;
  }
  return fmt::format("exited with status {}{}", ending.code, during);
}

/// What the user can try when the fork may be the reason. It is not in the message, which names the failure alone.
std::string HintOf(const Ending& ending) {
  if (ending.lost_threads.empty()) return "";
  return fmt::format(
      "; the library had {} before the process was forked, which the child does not have: if it needs them, set "
      "fork_safe = false in library.toml",
      ending.lost_threads);
}

}  // namespace

Observation ObservationOf(const Ending& ending, const Remains& remains, int case_index, const Job& job) {
  Observation observation;
  observation.case_id = job.cases[static_cast<size_t>(case_index)];
  observation.rule = FindCase(observation.case_id)->rules.front();
  observation.seed = CaseSeed(job.seed, observation.case_id);
  observation.examples = std::max(0, remains.example + 1);
  observation.held = remains.counts.held;
  observation.refused = remains.counts.refused;
  observation.nothing = remains.counts.nothing;
  observation.degree = Degree::kRule;
  observation.observed = ending.end == End::kTimeout  ? Observed::kTimeout
                         : ending.end == End::kMemory ? Observed::kMemory
                                                      : Observed::kCrash;
  observation.message = Message(ending, remains, job);
  observation.wanted = "a result or an exception";
  observation.needed = remains.needed;
  if (observation.observed == Observed::kCrash) observation.ended = EndText(ending);
  observation.got = (ending.thrown.empty() ? observation.message : ending.thrown) + HintOf(ending);
  return observation;
}

}  // namespace dlpack_cts::worker
