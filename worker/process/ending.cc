// worker/process/ending.cc: copies what a child left in the crash record.
#include "worker/process/ending.h"

#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {

std::optional<Remains> RemainsIn(const CrashRecord& crash_record) {
  if (!IsIntact(crash_record) || crash_record.head.case_index < 0 || crash_record.example < 0) return std::nullopt;
  std::optional<Remains> remains(std::in_place);
  remains->case_index = crash_record.head.case_index;
  remains->example = crash_record.example;
  remains->counts = crash_record.counts;
  remains->recipe = crash_record.recipe;
  Normalize(remains->recipe);
  remains->ledger = crash_record.ledger;
  remains->reference = crash_record.reference;
  return remains;
}

}  // namespace dlpack_cts::worker
