// harness/attribute/properties.cc: all properties in one table, and the non-default values of a recipe.
#include "harness/attribute/properties.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace dlpack_cts {
namespace {

using List = std::vector<Property> (*)();

/// The registered lists.
auto& Lists() {
  static std::array<List, static_cast<size_t>(PropertyGroup::kCount)> lists{};
  return lists;
}

/// What a trigger is asked for. The list is read for every exchange, so it is small.
struct Question {
  bool (*holds)(const RecipeInUse& used, int argument);
  int argument;
};

struct Table {
  std::vector<Property> properties;
  std::vector<const Trigger*> triggers;
  std::vector<Question> questions;                                                             // one for each trigger
  std::array<std::pair<size_t, size_t>, static_cast<size_t>(PropertyGroup::kCount)> of_group;  // questions [first, end)

  Table() {
    std::vector<size_t> ends;
    for (const List list : Lists()) {
      for (Property& property : list()) properties.push_back(std::move(property));
      ends.push_back(properties.size());
    }
    // The least simple ones are tried first: the steps matter more than the tensor.
    for (size_t i = ends.size(); i-- > 0;) {
      of_group[i].first = questions.size();
      for (size_t c = i == 0 ? 0 : ends[i - 1]; c < ends[i]; ++c) {
        for (const Trigger& value : properties[c].values) {
          triggers.push_back(&value);
          questions.push_back({value.holds, value.argument});
        }
      }
      of_group[i].second = questions.size();
    }
    if (triggers.size() > kMostTriggers) {
      std::fprintf(stderr, "%zu property values are more than kMostTriggers\n", triggers.size());
      std::abort();
    }
  }
};

const Table& TheTable() {
  static const Table table;
  return table;
}

/// False if the recipe has nothing to which the properties of the group belong.
bool MayHave(PropertyGroup group, const RecipeInUse& used) {
  switch (group) {
    case PropertyGroup::kOffer:
      return used.offers != 0;
    case PropertyGroup::kRequest:
      return used.requests != 0;
    case PropertyGroup::kTable:
      return used.recipe.table.attribute != TableAttribute::kNone;
    default:
      return true;
  }
}

}  // namespace

RegisterProperties::RegisterProperties(PropertyGroup group, List list) { Lists()[static_cast<size_t>(group)] = list; }

std::span<const Property> AllProperties() { return TheTable().properties; }

std::span<const Trigger* const> AllTriggers() { return TheTable().triggers; }

int TriggerIndex(std::string_view id) {
  const std::span<const Trigger* const> all = AllTriggers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Trigger* one) { return one->id == id; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

TriggerSet TriggersOf(const RecipeInUse& used) {
  TriggerSet set;
  const Table& table = TheTable();
  for (size_t group = 0; group < table.of_group.size(); ++group) {
    if (!MayHave(PropertyGroup{static_cast<uint8_t>(group)}, used)) continue;
    for (size_t i = table.of_group[group].first; i < table.of_group[group].second; ++i) {
      const Question& one = table.questions[i];
      if (one.holds(used, one.argument)) set.set(i);
    }
  }
  return set;
}

std::span<const Property* const> DefaultProperties() {
  static const Property* const properties[] = {&Scalars(), &VersionedStructs()};
  return properties;
}

std::vector<std::string> IdsOf(const TriggerSet& set) {
  std::vector<std::string> ids;
  const std::span<const Trigger* const> all = AllTriggers();
  for (size_t i = 0; i < all.size(); ++i) {
    if (set[i]) ids.push_back(all[i]->id);
  }
  return ids;
}

}  // namespace dlpack_cts
