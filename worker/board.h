// worker/board.h: shared memory that outlives the child which runs the cases.
//
// The library under test can write to it, so nobody believes it: what runs and what is done the snapshot knows from its
// own memory, and takes from here only what agrees with that. The head has a fixed plain layout (docs/processes.md), so
// that the driver can read it without knowing recipes; the rest is between the snapshot and its children.
#ifndef DLPACK_CTS_WORKER_BOARD_H_
#define DLPACK_CTS_WORKER_BOARD_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/case/profile.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

struct BoardHead {
  char magic[4];         // "DLBD"
  uint32_t version;      // 3
  int32_t case_index;    // into the job's cases; -1 before the first
  int32_t mutant_index;  // into the job's mutants; -1 without
  double started;        // CLOCK_MONOTONIC seconds at which the case began
  int32_t child;         // pid
  int32_t hostile;       // 1: garbage, which has a lower limit
  int64_t tick;          // changes whenever an example begins: the clock of the time limit starts again
  char doing[24];        // what the worker does: "importing", "collecting", "forking", "probing", "running"
  char case_id[200];
};
static_assert(offsetof(BoardHead, tick) == 32 && offsetof(BoardHead, case_id) == 64 && sizeof(BoardHead) == 264);

/// What the examples of a case that ended have shown.
struct Counts {
  int32_t held;
  int32_t refused;
  int32_t nothing;
};

struct Board {
  BoardHead head;
  uint64_t mark_behind_head;
  int32_t example;      // index of the example that runs; -1 where none does
  Counts counts;        // of the case that runs
  int32_t mute;         // the child could not write its observation
  int32_t scribbled;    // somebody wrote over the board; the head was put right since, the ledger is lost
  int32_t probe;        // index of the probe that runs, before the first case
  int32_t probed;       // all probes have run: the profile is complete
  char complaint[512];  // of a probe: what the adapter does wrong; empty: nothing
  char thrown[256];     // what the exception was that ended the process; empty: none did
  Profile profile;      // as far as the probes have come
  uint64_t mark_behind_profile;
  Recipe recipe;  // that runs
  uint64_t mark_behind_recipe;
  Ledger ledger;  // of that recipe
  uint64_t mark_behind_ledger;
  Ledger reference;  // of the reference that took it before the library did, where one runs beside it
  uint64_t mark_behind_reference;
};

/// Maps the file (created, sized) or, for an empty path, anonymous shared memory, between inaccessible pages. NULL with
/// `error` filled.
Board* MapBoard(const std::string& path, std::string* error);

/// True when no mark was written over, and the head is one of ours.
bool IsIntact(const Board& board);
/// Makes an empty board of whatever lies there.
void Clear(Board& board);

/// The board that a dead worker left in that file. False when there is none of ours.
bool ReadBoard(const std::string& path, Board* board);

/// Takes over what a dead worker had found out about the subject, as far as its probes had come.
void ResumeFrom(const Board& left, Board* board);

/// Writes a word for BoardHead::doing.
void SetDoing(Board& board, const char* what);

/// CLOCK_MONOTONIC in seconds.
double Now();

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_BOARD_H_
