// worker/death.h: how a child that ran cases died, and what is reported of it.
#ifndef DLPACK_CTS_WORKER_DEATH_H_
#define DLPACK_CTS_WORKER_DEATH_H_

#include "results/result.h"
#include "worker/board.h"
#include "worker/job.h"

namespace dlpack_cts {

/// How a child ended, when not by finishing.
struct Death {
  bool died = false;
  bool timeout = false;
  bool memory = false;
  bool mute = false;  // it could not write its observation: the library took the descriptor away
  int signal = 0;
  int status = 0;

  bool SameAs(const Death& other) const {
    return died == other.died && timeout == other.timeout && memory == other.memory && mute == other.mute &&
           signal == other.signal && status == other.status;
  }
};

/// The observation of the case that the board names. Its recipe and ledger are those on the board.
Observation ObservationOf(const Death& death, const Board& board, const Job& job);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_DEATH_H_
