// harness/choices/choice.cc: the queries on the table of choices.
#include "harness/choices/choice.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "harness/choices/choice_views.h"
#include "harness/ledger/pattern.h"

namespace dlpack_cts {
namespace {

using Lists = std::vector<std::pair<ChoiceList, std::span<const Choice>>>;

Lists& Registered() {
  static Lists lists;
  return lists;
}

struct Table {
  Table() {
    Lists lists = Registered();
    std::ranges::sort(lists, {}, &Lists::value_type::first);
    for (const auto& [list, choices] : lists) all.insert(all.end(), choices.begin(), choices.end());
    std::ranges::copy_if(all, std::back_inserter(questions),
                         [](const Choice& one) { return !one.more.question.number.empty(); });
    std::ranges::stable_sort(questions, {}, [](const Choice& one) { return one.more.question.number; });
    std::ranges::stable_partition(all, [](const Choice& one) { return !one.facts.empty(); });
    const auto others = std::ranges::stable_partition(all, &Choice::IsRemembered);
    remembered = static_cast<size_t>(others.begin() - all.begin());
    if (remembered > 64) std::abort();
    of_row.resize(FactRows().size());
    for (size_t i = 0; i < all.size(); ++i) {
      AllWords(all[i].facts, [&](std::string_view pattern) {
        Add(pattern, i);
        return true;
      });
    }
  }

  void Add(std::string_view pattern, size_t choice) {
    bool found = false;
    for (size_t row = 0; row < of_row.size(); ++row) {
      if (!FitsPattern(pattern, FactRows()[row].pattern)) continue;
      if (of_row[row].empty() || of_row[row].back() != choice) of_row[row].push_back(static_cast<uint8_t>(choice));
      found = true;
    }
    if (found && choice < kMostChoices) return;
    std::fprintf(stderr, "dlpack-cts: the choice %s names the fact %s, which does not exist, or is one too many\n",
                 std::string(all[choice].id).c_str(), std::string(pattern).c_str());
    std::abort();
  }

  std::vector<Choice> all;
  std::vector<Choice> questions;
  size_t remembered = 0;                     // how many come first: a Profile has one bit for each of them
  std::vector<std::vector<uint8_t>> of_row;  // indices into `all`
};

const Table& TheTable() {
  static const Table table;
  return table;
}

bool Holds(const Observer& condition, const Exchange& exchange, int slot) {
  return !condition || condition(exchange, slot) == 1;
}

}  // namespace

bool Choice::Excuses(const Exchange& exchange, int slot) const {
  const int reading = observe(exchange, slot);
  return reading != kNoReading && ((more.accepted >> reading) & 1) != 0 && Holds(more.legal, exchange, slot);
}

bool Choice::Leaves(const Exchange& exchange, int slot) const {
  return more.habit.plain && more.habit.plain(exchange, slot) == 1 && observe(exchange, slot) == 0;
}

int Choice::ReadingIn(const Exchange& exchange, int slot) const {
  if (!observe) return kNoReading;
  const int of = facts.starts_with("table") ? 0 : slot;
  return Holds(more.question.asked, exchange, of) ? observe(exchange, of) : kNoReading;
}

RegisterChoices::RegisterChoices(ChoiceList list, std::span<const Choice> choices) {
  Registered().emplace_back(list, choices);
}

std::span<const Choice> Choices() { return TheTable().all; }

std::span<const uint8_t> ChoicesOf(int row) { return TheTable().of_row[static_cast<size_t>(row)]; }

std::span<const Choice> Questions() { return TheTable().questions; }

void Learn(const Exchange& exchange, ChoicesSeen& seen) {
  for (size_t i = 0; i < TheTable().remembered; ++i) {
    const Choice& choice = Choices()[i];
    const uint64_t bit = uint64_t{1} << i;
    if (choice.Excuses(exchange, 0)) {
      seen.again |= seen.used & bit;
      seen.used |= bit;
    }
    if (choice.Leaves(exchange, 0)) seen.left |= bit;
  }
}

int RowOf(const Habit& habit, int slot) {
  std::string key(habit.fact);
  key[key.find('S')] = static_cast<char>('0' + slot);
  return FactIndex(key);
}

}  // namespace dlpack_cts
