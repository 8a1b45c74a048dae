// harness/attribute/attribution.cc: finds the most specific attribution of a finding.
#include "harness/attribute/attribution.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "harness/abi/dlpack.h"
#include "harness/ledger/pattern.h"

namespace dlpack_cts {
namespace {

std::vector<AttributionRow>& Registered() {
  static std::vector<AttributionRow> rows;
  return rows;
}

/// How specific an attribution is for a finding. Two rows that fit are never equal.
struct Rank {
  int least_plain = -1;  // the largest index in the finding's triggers
  int triggers = 0;
  bool fact = false;
  bool got = false;
  auto operator<=>(const Rank&) const = default;
};

/// Whether the row is about the side and the family, and the finding has its triggers.
bool RankOfTriggers(const AttributionRow& row, const About& about, Rank& rank) {
  if (row.side != about.side || row.family != about.family) return false;
  return AllWords(row.triggers, [&](std::string_view trigger) {
    const auto found = std::find_if(about.triggers.begin(), about.triggers.end(),
                                    [&](const std::string& id) { return FitsPattern(trigger, id); });
    ++rank.triggers;
    rank.least_plain = std::max(rank.least_plain, static_cast<int>(found - about.triggers.begin()));
    return found != about.triggers.end();
  });
}

bool NamesFact(const AttributionRow& row, std::string_view fact) {
  return !AllWords(row.facts, [&](std::string_view pattern) { return !FitsPattern(pattern, fact); });
}

bool RankOf(const AttributionRow& row, const About& about, Rank& rank) {
  rank.got = !row.got.empty();
  rank.fact = !row.facts.empty();
  if (!FitsValue(row.got, about.got) || (rank.fact && !NamesFact(row, about.fact))) return false;
  return RankOfTriggers(row, about, rank);
}

}  // namespace

RegisterAttributions::RegisterAttributions(
    Side side, const std::array<std::span<const AttributionRow>, kAttributedFamilies>& families) {
  for (size_t family = 0; family < families.size(); ++family) {
    for (AttributionRow row : families[family]) {
      row.side = side;
      row.family = static_cast<Family>(family);
      constexpr std::string_view kOr = " | ";
      std::string_view rest = row.triggers;
      for (size_t end = rest.find(kOr); end != std::string_view::npos; end = rest.find(kOr)) {
        row.triggers = rest.substr(0, end);
        Registered().push_back(row);
        rest.remove_prefix(end + kOr.size());
      }
      row.triggers = rest;
      Registered().push_back(row);
    }
  }
}

std::span<const AttributionRow> Attributions() {
  static const bool sorted = [] {
    std::ranges::stable_sort(Registered(), {}, [](const AttributionRow& row) { return row.side; });
    return true;
  }();
  static_cast<void>(sorted);
  return Registered();
}

const AttributionRow& AttributionOf(const About& about) {
  const AttributionRow* best = nullptr;
  Rank best_rank;
  for (const AttributionRow& row : Attributions()) {
    Rank rank;
    if (!RankOf(row, about, rank)) continue;
    if (best == nullptr || rank > best_rank) {
      best = &row;
      best_rank = rank;
    }
  }
  if (best == nullptr) std::abort();  // a test checks that each family of each side has a row
  return *best;
}

std::vector<const AttributionRow*> PossibleAttributions(const About& about) {
  std::vector<std::pair<Rank, const AttributionRow*>> fitting;
  Rank least;  // of the row that fits whatever fact and value are
  for (const AttributionRow& row : Attributions()) {
    const bool known = !row.facts.empty() && !about.fact.empty();
    if (known && !NamesFact(row, about.fact)) continue;
    Rank rank{.fact = !row.facts.empty(), .got = !row.got.empty()};
    if (!RankOfTriggers(row, about, rank)) continue;
    fitting.emplace_back(rank, &row);
    if (row.got.empty() && (row.facts.empty() || known)) least = std::max(least, rank);
  }
  std::erase_if(fitting, [&](const auto& one) { return one.first < least; });
  std::ranges::sort(fitting, {}, [](const auto& one) { return one.first; });
  std::vector<const AttributionRow*> rows;
  for (const auto& [rank, row] : fitting) rows.push_back(row);
  return rows;
}

namespace {

/// The number at the start of the text; 0 without one.
int64_t NumberAt(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

bool FitsValue(std::string_view wanted, std::string_view got) {
  if (wanted.empty()) return true;
  if (wanted == "many") return NumberAt(got) > 1;
  if (wanted == "negative") return got.find('-') != std::string_view::npos;
  if (wanted != "unpublished") return FitsPattern(wanted, got);
  // Flags are one number. Dtypes are three numbers, whose first begins at 0; devices two, whose first begins at 1, with
  // gaps.
  if (!got.starts_with('(')) return (std::strtoull(std::string(got).c_str(), nullptr, 10) & ~abi::kPublishedFlags) != 0;
  const bool dtype = std::count(got.begin(), got.end(), ',') == 2;
  const int64_t number = NumberAt(got.substr(1));
  if (dtype) return number < 0 || number > 18;
  return number <= 0 || number == 5 || number == 6 || number > abi::kDLTrn;
}

}  // namespace dlpack_cts
