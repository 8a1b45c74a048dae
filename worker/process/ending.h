// worker/process/ending.h: how a child of the fork server ended, and what it leaves in the crash record.
#ifndef DLPACK_CTS_WORKER_PROCESS_ENDING_H_
#define DLPACK_CTS_WORKER_PROCESS_ENDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/recipe/together.h"
#include "worker/process/crash_record.h"

namespace dlpack_cts::worker {

enum class End : uint8_t {
  kDone,       // it finished its work
  kTimeout,    // it exceeded the time limit of an example
  kMemory,     // it exceeded the memory limit
  kTraced,     // it let another process trace it with ptrace, and stopped
  kMute,       // it could not write its observation: the library closed or replaced the descriptor
  kScribbled,  // the library overwrote the crash record
  kSilent,     // it finished without an observation
  kShortage,   // the system did not give dlpack-cts what it needs
  kThrew,      // std::terminate ended it
  kSignal,
  kExit,
};

/// How a child ended.
struct Ending {
  End end = End::kDone;
  bool stillborn = false;   // before it ran a case
  bool hurried = false;     // kTimeout by a limit that earlier hangs had shortened: perhaps the exchange is only slow
  int code = 0;             // the signal of kThrew and kSignal, the exit status of kExit
  std::string thrown = {};  // the exception of kThrew
  /// The threads that the fork took from the library (lost_threads.h), where their absence may be the reason.
  std::string lost_threads = {};

  bool Crashed() const { return end != End::kDone; }
  /// Whether it ended while the library ran an exchange, so that another child can end in the same way.
  bool IsRepeatable() const {
    return Crashed() && !stillborn && end != End::kMemory && end != End::kMute && end != End::kSilent;
  }

  /// Whether both ended in the same way, whatever the reason is.
  bool operator==(const Ending& other) const {
    return end == other.end && stillborn == other.stillborn && code == other.code && thrown == other.thrown;
  }
};

/// What the crash record holds about the last example, checked and copied.
struct Remains {
  int case_index = -1;
  int example = -1;  // -1: nothing is left
  Counts counts{};
  Recipe recipe{};
  Ledger ledger{};
  Ledger reference{};            // of the reference run, if there was one
  std::vector<unsigned> needed;  // indices of the recipe's needed steps, if they were searched
};

/// The step in which the exchange stopped. kEnd if it stopped outside of a step. Op::kImportTogether begins with
/// imports on one thread: until the first one of them has ended, the step is a plain import.
inline Op StepAtEnd(const Recipe& recipe, const Ledger& ledger) {
  if (ledger.step < 0 || ledger.step >= recipe.used.steps || ledger.step >= kSteps) return Op::kEnd;
  const Step& step = recipe.steps[ledger.step];
  // The other kinds of sharing import tensors that differ from the described one.
  const auto sharing = static_cast<Sharing>(step.argument);
  const bool of_threads = step.op == Op::kImportTogether && sharing < Sharing::kMany;
  if (!of_threads || ledger.imports[static_cast<unsigned>(step.slot) % kSlots].race != Race::kNotRun) return step.op;
  return sharing == Sharing::kOneBare ? Op::kImportCapsule : Op::kImport;
}

/// Empty if the crash record was overwritten, or if no example ran.
std::optional<Remains> RemainsIn(const CrashRecord& crash_record);

/// Exit statuses by which a child reports a problem.
enum ChildExit : int { kMuteExit = 3, kScribbledExit = 4, kShortageExit = 5 };

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_ENDING_H_
