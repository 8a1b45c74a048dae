// worker/process/death.cc: takes what a crashed child left in the crash record.
#include "worker/process/death.h"

#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {

Remains RemainsOf(const Board& board, int case_index) {
  Remains remains;
  if (!IsIntact(board) || board.head.case_index != case_index || board.example < 0) return remains;
  remains.example = board.example;
  remains.counts = board.counts;
  remains.recipe = board.recipe;
  Normalize(remains.recipe);
  remains.ledger = board.ledger;
  remains.reference = board.reference;
  return remains;
}

}  // namespace dlpack_cts::worker
