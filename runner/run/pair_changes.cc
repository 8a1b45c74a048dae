// runner/run/pair_changes.cc: divides the unexpected deviations of pairs among the lists of their libraries.
#include "runner/run/pair_changes.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dlpack_cts::runner {
namespace {

bool IsSame(const NewEntry& a, const NewEntry& b) {
  return std::tie(a.key, a.verdict, a.message, a.role) == std::tie(b.key, b.verdict, b.message, b.role);
}

bool IsSame(const Removal& a, const Removal& b) { return a.entry.line == b.entry.line; }

/// The element is added to the list, or its partners to those of the same element.
template <typename Element>
void Add(const Element& element, std::vector<Element>& list) {
  const auto same = std::ranges::find_if(list, [&](const Element& other) { return IsSame(element, other); });
  if (same == list.end()) {
    list.push_back(element);
  } else {
    same->partners.insert(same->partners.end(), element.partners.begin(), element.partners.end());
  }
}

/// The number of entries in the file itself.
size_t Listed(const std::string& file) {
  return static_cast<size_t>(std::ranges::count(ReadList(file), false, &Expectation::included));
}

}  // namespace

std::vector<ListChanges> ChangesOf(const PairLists& lists, const Expectations& expectations,
                                   const std::vector<StaleEntry>& stale, const Run& run) {
  ListChanges producer{.file = lists.producer_file, .library = lists.producer};
  ListChanges consumer{.file = lists.consumer_file, .library = lists.consumer};
  for (const StaleEntry& one : stale) {
    const Expectation& entry = expectations.entries()[one.entry];
    (entry.owner == PairRole::kProducer ? producer : consumer)
        .removed.push_back({entry, one.sentence, {entry.partner}});
  }
  for (Unexpected& one : UnexpectedIn(run)) {
    const auto accused = one.cause == nullptr ? std::nullopt : AccusedIn(*one.cause);
    one.entry.role = accused.value_or(PairRole::kConsumer);
    const bool by_producer = one.entry.role == PairRole::kProducer;
    one.entry.partners = {by_producer ? lists.consumer : lists.producer};
    (by_producer ? producer : consumer).added.push_back(std::move(one.entry));
  }
  return {std::move(producer), std::move(consumer)};
}

void Merge(const std::vector<ListChanges>& of_pair, std::vector<ListChanges>& all) {
  for (const ListChanges& changes : of_pair) {
    auto same = std::ranges::find(all, changes.file, &ListChanges::file);
    if (same == all.end()) {
      all.push_back({.file = changes.file, .library = changes.library, .listed = Listed(changes.file)});
      same = std::prev(all.end());
    }
    for (const NewEntry& entry : changes.added) Add(entry, same->added);
    for (const Removal& removal : changes.removed) Add(removal, same->removed);
  }
}

}  // namespace dlpack_cts::runner
