// harness/attribute/coordinates.cc: all properties in one table, and the non-default values of a recipe.
#include "harness/attribute/coordinates.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace dlpack_cts {
namespace {

using List = std::vector<Coordinate> (*)();

/// The registered lists.
auto& Lists() {
  static std::array<List, static_cast<size_t>(CoordinateGroup::kCount)> lists{};
  return lists;
}

struct Table {
  std::vector<Coordinate> coordinates;
  std::vector<const Peculiarity*> peculiarities;

  Table() {
    std::vector<size_t> ends;
    for (const List list : Lists()) {
      for (Coordinate& coordinate : list()) coordinates.push_back(std::move(coordinate));
      ends.push_back(coordinates.size());
    }
    // The least simple ones are tried first: the steps matter more than the tensor.
    for (size_t i = ends.size(); i-- > 0;) {
      for (size_t c = i == 0 ? 0 : ends[i - 1]; c < ends[i]; ++c) {
        for (const Peculiarity& value : coordinates[c].values) peculiarities.push_back(&value);
      }
    }
    if (peculiarities.size() > kPeculiarities) {
      std::fprintf(stderr, "%zu property values are more than kPeculiarities\n", peculiarities.size());
      std::abort();
    }
  }
};

const Table& TheTable() {
  static const Table table;
  return table;
}

}  // namespace

RegisterCoordinates::RegisterCoordinates(CoordinateGroup group, List list) {
  Lists()[static_cast<size_t>(group)] = list;
}

std::span<const Coordinate> Coordinates() { return TheTable().coordinates; }

std::span<const Peculiarity* const> Peculiarities() { return TheTable().peculiarities; }

int PeculiarityIndex(std::string_view id) {
  const std::span<const Peculiarity* const> all = Peculiarities();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Peculiarity* one) { return one->id == id; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

PeculiaritySet PeculiaritiesOf(const Recipe& recipe) {
  PeculiaritySet set;
  const std::span<const Peculiarity* const> all = Peculiarities();
  for (size_t i = 0; i < all.size(); ++i) set[i] = all[i]->Holds(recipe);
  return set;
}

std::vector<std::string> IdsOf(const PeculiaritySet& set) {
  std::vector<std::string> ids;
  const std::span<const Peculiarity* const> all = Peculiarities();
  for (size_t i = 0; i < all.size(); ++i) {
    if (set[i]) ids.push_back(all[i]->id);
  }
  return ids;
}

}  // namespace dlpack_cts
