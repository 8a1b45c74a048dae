// reports/pair_matrix.cc: signs of cells, and the matrix on a terminal.
#include "reports/pair_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/text.h"

namespace dlpack_cts {
namespace {

struct Sign {
  std::string_view letter;
  std::string_view meaning;
};
constexpr std::array<Sign, kEnumerators<PairState>> kSigns = {{
    {"S", "the consumer shares the producer's memory"},
    {"C", "the consumer copies"},
    {"A", "accepted; the consumer does not say where its memory is"},
    {"R", "refused with an exception"},
    {"W", "a rule is violated"},
    {"X", "an exchange ends the process"},
    {"-", "not installable together"},
    {"?", "not tested"},
}};

std::vector<std::string> NamesOf(const Pairs& pairs, std::string PairCell::* member) {
  std::vector<std::string> names;
  for (const PairCell& cell : pairs.cells) {
    if (std::ranges::find(names, cell.*member) == names.end()) names.push_back(cell.*member);
  }
  return names;
}

}  // namespace

std::string_view SignOf(PairState state) { return kSigns[static_cast<size_t>(state)].letter; }
std::string_view MeaningOf(PairState state) { return kSigns[static_cast<size_t>(state)].meaning; }

std::string_view StructSignOf(const PairCell& cell) {
  if (cell.structs == "versioned structs") return "v";
  if (cell.structs == "legacy structs") return "l";
  return cell.structs == "exchange table" ? "t" : "";
}

std::vector<std::string> ProducersOf(const Pairs& pairs) { return NamesOf(pairs, &PairCell::producer); }
std::vector<std::string> ConsumersOf(const Pairs& pairs) { return NamesOf(pairs, &PairCell::consumer); }

const PairCell* FindPair(const Pairs& pairs, std::string_view producer, std::string_view consumer) {
  const auto found = std::ranges::find_if(
      pairs.cells, [&](const PairCell& cell) { return cell.producer == producer && cell.consumer == consumer; });
  return found == pairs.cells.end() ? nullptr : &*found;
}

void PrintMatrix(const Pairs& pairs, std::ostream& out) {
  const std::vector<std::string> producers = ProducersOf(pairs);
  const std::vector<std::string> consumers = ConsumersOf(pairs);
  size_t width = 0;
  for (const std::string& name : producers) width = std::max(width, OneLine(name).size());
  out << "Pairs: producers in rows, consumers in columns\n\n";
  for (size_t i = 0; i < consumers.size(); ++i) {
    out << fmt::format("  {:{}}", "", width);
    for (size_t before = 0; before < i; ++before) out << "  |";
    out << "  " << OneLine(consumers[i]) << "\n";
  }
  for (const std::string& producer : producers) {
    out << fmt::format("  {:{}}", OneLine(producer), width);
    for (const std::string& consumer : consumers) {
      const PairCell* const cell = FindPair(pairs, producer, consumer);
      out << (cell == nullptr
                  ? "   "
                  : fmt::format(" {:>2}", std::string(SignOf(cell->state)) + std::string(StructSignOf(*cell))));
    }
    out << "\n";
  }
  out << "\n";
  for (size_t i = 0; i < kSigns.size(); ++i) {
    const auto state = static_cast<PairState>(i);
    const auto count = std::ranges::count(pairs.cells, state, &PairCell::state);
    if (count > 0) out << fmt::format("  {} {:4}  {}\n", kSigns[i].letter, count, kSigns[i].meaning);
  }
  out << "  v versioned structs, l legacy structs, t exchange table\n";
}

}  // namespace dlpack_cts
