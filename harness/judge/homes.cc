// harness/judge/homes.cc: finds the attribution that fits best.
#include "harness/judge/homes.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/abi/dlpack.h"
#include "harness/judge/home_list.h"
#include "harness/judge/pattern.h"
#include "harness/recipe/enum_words.h"

namespace dlpack_cts {
namespace {

/// How specific an attribution is for a finding: never equal for two that fit.
struct Rank {
  int least_plain = -1;  // index in the finding's triggers
  int needs = 0;
  bool fact = false;
  bool got = false;
  auto operator<=>(const Rank&) const = default;
};

bool RankOf(const Home& home, const About& about, Rank& rank) {
  if (home.side != about.side || home.family != about.family || !FitsValue(home.got, about.got)) return false;
  rank.got = !home.got.empty();
  if (!home.facts.empty()) {
    rank.fact = !AllWords(home.facts, [&](std::string_view fact) { return !FitsPattern(fact, about.fact); });
    if (!rank.fact) return false;
  }
  return AllWords(home.needs, [&](std::string_view need) {
    const auto found = std::find_if(about.peculiarities.begin(), about.peculiarities.end(),
                                    [&](const std::string& id) { return FitsPattern(need, id); });
    ++rank.needs;
    rank.least_plain = std::max(rank.least_plain, static_cast<int>(found - about.peculiarities.begin()));
    return found != about.peculiarities.end();
  });
}

}  // namespace

std::span<const Home> Homes() {
  static const std::vector<Home> all = [] {
    std::vector<Home> list;
    for (const std::span<const Home> part : {ImportHomes(), ExportHomes()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Home& HomeOf(const About& about) {
  const Home* best = nullptr;
  Rank best_rank;
  for (const Home& home : Homes()) {
    Rank rank;
    if (!RankOf(home, about, rank)) continue;
    if (best == nullptr || rank > best_rank) {
      best = &home;
      best_rank = rank;
    }
  }
  if (best == nullptr) std::abort();  // a test goes through all families of all sides
  return *best;
}

bool FitsValue(std::string_view wanted, std::string_view got) {
  if (wanted.empty()) return true;
  if (wanted == "many") return std::atoll(std::string(got).c_str()) > 1;
  if (wanted == "negative") return got.find('-') != std::string_view::npos;
  if (wanted != "unpublished") return FitsPattern(wanted, got);
  // Flags are one number. Types of elements have three, and begin at 0; devices two, and begin at 1 with gaps.
  if (!got.starts_with('(')) return (std::strtoull(std::string(got).c_str(), nullptr, 10) & ~abi::kPublishedFlags) != 0;
  const bool dtype = std::count(got.begin(), got.end(), ',') == 2;
  const long long number = std::atoll(std::string(got.substr(1)).c_str());
  if (dtype) return number < 0 || number > 18;
  return number <= 0 || number == 5 || number == 6 || number > abi::kDLTrn;
}

std::string_view ToText(Side side) {
  static constexpr EnumWords<Side> kWords = {"import", "export"};
  return kWords[side];
}

}  // namespace dlpack_cts
