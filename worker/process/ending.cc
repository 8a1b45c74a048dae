// worker/process/ending.cc: copies what a child left in the crash record.
#include "worker/process/ending.h"

#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {

std::optional<Remains> RemainsIn(const Board& board) {
  if (!IsIntact(board) || board.head.case_index < 0 || board.example < 0) return std::nullopt;
  std::optional<Remains> remains(std::in_place);
  remains->case_index = board.head.case_index;
  remains->example = board.example;
  remains->counts = board.counts;
  remains->recipe = board.recipe;
  Normalize(remains->recipe);
  remains->ledger = board.ledger;
  remains->reference = board.reference;
  return remains;
}

}  // namespace dlpack_cts::worker
