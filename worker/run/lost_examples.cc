// worker/run/lost_examples.cc: counts examples by value.
#include "worker/run/lost_examples.h"

#include <algorithm>
#include <iterator>

namespace dlpack_cts::worker {
namespace {

bool IsRefusal(const Refusal& answer) {
  return answer.outcome == Outcome::kRefused || answer.outcome == Outcome::kUnsupported;
}

/// Whether the library refused something in the exchange.
bool Refused(const Ledger& ledger) {
  const auto import = [](const ImportLedger& one) { return IsRefusal(one.import); };
  const auto exported = [](const ExportLedger& one) { return IsRefusal(one.export_call); };
  const auto source = [](const SourceLedger& one) { return IsRefusal(one.make); };
  return std::any_of(std::begin(ledger.imports), std::end(ledger.imports), import) ||
         std::any_of(std::begin(ledger.exports), std::end(ledger.exports), exported) ||
         std::any_of(std::begin(ledger.sources), std::end(ledger.sources), source);
}

}  // namespace

void LostExamples::Clear() {
  values_.fill({});
  judged_ = false;
}

void LostExamples::Count(const Recipe& recipe, const Ledger& ledger, bool conclusive) {
  judged_ = judged_ || conclusive;
  const TriggerSet held = TriggersOf(recipe);
  for (size_t i = 0; i < kMostTriggers; ++i) {
    if (held[i]) Add(values_[i], ledger, conclusive);
  }
  if (Scalars().values.front().Holds(recipe)) Add(values_[kMostTriggers], ledger, conclusive);
}

void LostExamples::Add(Counts& counts, const Ledger& ledger, bool conclusive) const {
  ++counts.drawn;
  counts.judged = counts.judged || conclusive;
  if (!conclusive && Refused(ledger)) ++counts.refused;
}

std::vector<LostValue> LostExamples::List() const {
  std::vector<LostValue> lost;
  if (!judged_) return lost;
  for (size_t i = 0; i <= kMostTriggers; ++i) {
    const Counts& counts = values_[i];
    if (counts.judged || counts.drawn < kEnough) continue;
    const Trigger& value = i == kMostTriggers ? Scalars().values.front() : *AllTriggers()[i];
    lost.push_back({value.id, value.words, counts.drawn, counts.refused});
  }
  return lost;
}

}  // namespace dlpack_cts::worker
