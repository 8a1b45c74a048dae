// worker/process/death.h: how a child crashed or was stopped, and what it leaves in the crash record.
#ifndef DLPACK_CTS_WORKER_PROCESS_DEATH_H_
#define DLPACK_CTS_WORKER_PROCESS_DEATH_H_

#include <string>
#include <vector>

#include "worker/process/board.h"

namespace dlpack_cts::worker {

/// How a child ended, when not by finishing.
struct Death {
  bool died = false;
  bool timeout = false;
  bool memory = false;
  bool traced = false;     // it made itself traced by ptrace and stopped
  bool mute = false;       // it could not write its observation: the library took the descriptor away
  bool scribbled = false;  // the library overwrote the crash record
  bool silent = false;     // it finished, and an observation is missing
  bool stillborn = false;  // it ended before it ran a case
  int signal = 0;
  int status = 0;
  std::string thrown;  // the C++ exception that ended it; empty: none

  bool operator==(const Death& other) const = default;
};

/// What the crash record holds about the example that crashed, checked and copied.
struct Remains {
  int example = -1;  // -1: nothing is left
  Counts counts{};
  Recipe recipe{};
  Ledger ledger{};
  Ledger reference{};            // the reference's, where it ran beside the library
  std::vector<unsigned> needed;  // of the recipe's steps, where they were looked for
};

/// The remains of that case; empty if the crash record is about another case, or was overwritten.
Remains RemainsOf(const Board& board, int case_index);

/// Exit statuses by which a child reports a problem.
enum ChildExit : int { kMuteExit = 3, kScribbledExit = 4 };

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_DEATH_H_
