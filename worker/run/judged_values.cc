// worker/run/judged_values.cc: counts examples by value.
#include "worker/run/judged_values.h"

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

void JudgedValues::Counts::Add(bool was_conclusive, bool was_refused) {
  ++drawn;
  conclusive += was_conclusive ? 1 : 0;
  refused += was_refused ? 1 : 0;
}

void JudgedValues::Clear() {
  values_.assign(AllValues().size(), {});
  all_ = {};
}

void JudgedValues::Count(const Recipe& recipe, const Ledger& ledger, bool conclusive, bool everywhere) {
  const bool refused = !conclusive && Refused(ledger);
  all_.Add(conclusive, refused);
  for (const size_t value : everywhere ? AllValuesOf(recipe) : PlainValuesOf(recipe)) {
    values_[value].Add(conclusive, refused);
  }
}

std::vector<LostValue> JudgedValues::Lost() const {
  std::vector<LostValue> lost;
  if (all_.conclusive == 0) return lost;
  for (size_t i = 0; i < PlainValues().size(); ++i) {
    const Counts& counts = values_[i];
    if (counts.conclusive != 0 || counts.drawn < kEnough) continue;
    lost.push_back({PlainValues()[i].id, PlainValues()[i].words, counts.drawn, counts.refused});
  }
  return lost;
}

template <typename Test>
std::vector<ValueShare> JudgedValues::List(Test test) const {
  std::vector<ValueShare> list;
  for (size_t i = 0; i < values_.size(); ++i) {
    const Counts& counts = values_[i];
    if (test(counts)) list.push_back({AllValues()[i].id, counts.drawn, counts.conclusive});
  }
  return list;
}

std::vector<ValueShare> JudgedValues::Shares() const {
  return List([&](const Counts& counts) {
    return counts.drawn >= kEnough && counts.conclusive * all_.drawn < all_.conclusive * counts.drawn;
  });
}

std::vector<ValueShare> JudgedValues::All() const {
  return List([](const Counts& counts) { return counts.drawn != 0; });
}

}  // namespace dlpack_cts::worker
