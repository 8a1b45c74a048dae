// worker/death.cc: makes an observation of a death.
#include "worker/death.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "harness/case/case.h"
#include "harness/ledger/facts.h"
#include "worker/case_runner.h"

namespace dlpack_cts {
namespace {

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : fmt::format("signal {}", signal);
}

/// What the dying exchange was doing.
std::string DuringText(const Board& board) {
  const int step = board.ledger.step;
  if (board.example < 0 || step < 0 || step > kSteps) return "";
  return step == kSteps ? " while everything was dropped"
                        : fmt::format(" during {}", ToText(board.recipe.life[step].op));
}

std::string Message(const Death& death, const Board& board) {
  const std::string during = DuringText(board);
  if (death.timeout) return "did not end within its time limit" + during;
  if (death.memory) return "memory limit" + during;
  if (death.mute) return "closed a file descriptor that is not its own";
  if (death.signal != 0) return fmt::format("killed by {}{}", SignalName(death.signal), during);
  return fmt::format("left the process with exit {}{}", death.status, during);
}

}  // namespace

Observation ObservationOf(const Death& death, const Board& board, const Job& job) {
  Observation observation;
  observation.case_id = job.cases[static_cast<size_t>(board.case_index)];
  observation.rule = FindCase(observation.case_id)->rules.front();
  observation.seed = CaseSeed(job.seed, observation.case_id);
  observation.examples = board.example + 1;
  if (board.mutant_index >= 0) observation.mutant = job.mutants[static_cast<size_t>(board.mutant_index)];
  observation.degree = "rule";
  observation.observed = death.timeout ? "timeout" : death.memory ? "memory" : "crash";
  observation.message = Message(death, board);
  observation.wanted = "a result or an exception";
  observation.got = observation.message;
  if (board.example >= 0) Attach(board.recipe, board.ledger, observation);
  return observation;
}

}  // namespace dlpack_cts
