// worker/run/crash_text.cc: makes an observation of a crash, a timeout or an exceeded memory limit.
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

/// As Observation::ended; empty if the process itself was healthy, and only its report was lost or damaged.
std::string EndOf(const Death& death) {
  if (death.traced || death.mute || death.scribbled || death.silent) return "";
  return death.signal != 0 ? SignalName(death.signal) : fmt::format("exit {}", death.status);
}

/// What the exchange was doing when the process ended.
std::string DuringText(const Remains& remains) {
  const int step = remains.ledger.step;
  if (remains.example < 0 || step < 0 || step > kSteps) return "";
  return step == kSteps ? " while all objects were dropped"
                        : fmt::format(" during {}", ToText(remains.recipe.steps[step].op));
}

/// A message must be reproducible. The text of an exception may not be, so it is in `got`.
std::string TypeOf(const std::string& thrown) { return thrown.substr(0, thrown.find(": ")); }

std::string Message(const Death& death, const Remains& remains, const Job& job) {
  const std::string during = death.stillborn ? " before it ran a case" : DuringText(remains);
  if (death.timeout) return "did not end within its time limit" + during;
  if (death.memory) return fmt::format("exceeded the memory limit of {} MB{}", job.memory_bytes >> 20, during);
  if (death.traced) return "made itself traced by ptrace and stopped" + during;
  if (death.mute) return "closed a file descriptor of the test program";
  if (death.scribbled) return "overwrote memory of the test program" + during;
  if (death.silent) return "the result was lost: the library wrote to a file descriptor of the test program";
  if (death.signal != 0 && death.thrown == kNoException) return kNoException + during;
  if (death.signal != 0 && !death.thrown.empty()) {
    return fmt::format("a C++ exception escaped from the library{}: {}", during, TypeOf(death.thrown));
  }
  if (death.signal != 0) return fmt::format("terminated by {}{}", SignalName(death.signal), during);
  return fmt::format("exited with status {}{}", death.status, during);
}

}  // namespace

Observation ObservationOf(const Death& death, const Remains& remains, int case_index, const Job& job) {
  Observation observation;
  observation.case_id = job.cases[static_cast<size_t>(case_index)];
  observation.rule = FindCase(observation.case_id)->rules.front();
  observation.seed = CaseSeed(job.seed, observation.case_id);
  observation.examples = std::max(0, remains.example + 1);
  observation.held = remains.counts.held;
  observation.refused = remains.counts.refused;
  observation.nothing = remains.counts.nothing;
  observation.degree = Degree::kRule;
  observation.observed = death.timeout ? Observed::kTimeout : death.memory ? Observed::kMemory : Observed::kCrash;
  observation.message = Message(death, remains, job);
  observation.wanted = "a result or an exception";
  observation.needed = remains.needed;
  if (observation.observed == Observed::kCrash) observation.ended = EndOf(death);
  observation.got = death.thrown.empty() ? observation.message : death.thrown;
  return observation;
}

}  // namespace dlpack_cts::worker
