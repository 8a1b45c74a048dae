// worker/board.h: shared memory that outlives the child which runs the cases.
//
// The first 264 bytes have a fixed plain layout (docs/processes.md), so that the driver can read them without knowing
// recipes; the rest is between the snapshot and its children.
#ifndef DLPACK_CTS_WORKER_BOARD_H_
#define DLPACK_CTS_WORKER_BOARD_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/case/profile.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

struct Board {
  char magic[4];         // "DLBD"
  uint32_t version;      // 1
  int32_t case_index;    // into the job's cases; -1 before the first
  int32_t mutant_index;  // into the job's mutants; -1 without
  double started;        // CLOCK_MONOTONIC seconds at which the case began
  int32_t child;         // pid
  int32_t finished;      // 1 when the child has run everything that it was asked to
  char padding[32];
  char case_id[200];

  int32_t example;  // index of the example that runs
  int32_t examples_run;
  int32_t refused;
  int32_t hostile;      // the case is hostile: a shorter limit holds
  int32_t shrinking;    // the case has found a breach and makes its recipe smaller
  int32_t written;      // index into the job's cases of the last one whose observation is out
  int32_t mute;         // the child could not write its observation
  int32_t probe;        // index of the probe that runs, before the first case
  int32_t probed;       // all probes have run: the profile is complete
  char complaint[256];  // of a probe: what the adapter does wrong; empty: nothing
  Profile profile;
  Recipe recipe;  // that runs
  Ledger ledger;  // of that recipe
};
static_assert(offsetof(Board, case_id) == 64);

/// Maps the file (created, sized) or, for an empty path, anonymous shared memory. NULL with `error` filled.
Board* MapBoard(const std::string& path, std::string* error);

/// The board that a dead worker left in that file. False when there is none of ours.
bool ReadBoard(const std::string& path, Board* board);

/// Takes over what a dead worker had found out about the subject; the probe that killed it counts as "no".
void ResumeFrom(const Board& left, Board* board);

/// CLOCK_MONOTONIC in seconds.
double Now();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_BOARD_H_
