// harness/judge/reduce.cc: property by property, then size by size.
#include "harness/judge/reduce.h"

#include <algorithm>
#include <vector>

#include "harness/case/case.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/search_cost.h"

namespace dlpack_cts {
namespace {

uint32_t LawsOf(const Recipe& recipe) {
  uint32_t laws = 0;
  for (int i = 0; i < recipe.used.offers; ++i) laws |= BrokenLaws(recipe.offer(i));
  return laws;
}

/// The values of a coordinate, and those that reducing tries in the place of others.
struct ValueSet {
  PeculiaritySet all;
  PeculiaritySet tried;
};

const std::vector<ValueSet>& ValueSets() {
  static const std::vector<ValueSet> sets = [] {
    std::vector<ValueSet> all;
    for (const Coordinate& coordinate : Coordinates()) {
      ValueSet& set = all.emplace_back();
      for (const Peculiarity& value : coordinate.values) {
        const auto index = static_cast<size_t>(PeculiarityIndex(value.id));
        set.all.set(index);
        set.tried.set(index, value.set != nullptr && !value.wild);
      }
    }
    return all;
  }();
  return sets;
}

class Reducing {
 public:
  Reducing(const Recipe& recipe, const Profile& profile, const ShrinkBudget& budget,
           const std::function<bool(const Recipe&)>& fails)
      : profile_(profile), budget_(budget), fails_(fails), laws_(LawsOf(recipe)) {
    Copy(recipe, best_.recipe);
    best_.set = PeculiaritiesOf(recipe);
  }

  Reduced Run() {
    Alone();
    // A value that could not be removed may go after a later one has gone.
    for (bool plainer = true; plainer && !Spent();) {
      plainer = false;
      for (const Coordinate& coordinate : Coordinates()) plainer = Walk(coordinate) || plainer;
    }
    Shorten();
    return best_;
  }

 private:
  bool Spent() const { return runs_ >= budget_.runs || cost_.Seconds() >= budget_.seconds; }

  /// The default exchange with one non-default value: a failure with one trigger is found immediately.
  void Alone() {
    const PeculiaritySet set = best_.set;
    const RecipeKind kind = best_.recipe.kind;
    const auto plain = [&](Recipe& recipe) {
      recipe = MakeRecipe(kind);
      SetPlainLife(recipe);
    };
    if (Try(plain)) return;
    for (size_t i = 0; i < Peculiarities().size(); ++i) {
      const Peculiarity& one = *Peculiarities()[i];
      if (!set[i] || one.set == nullptr) continue;
      const auto peculiar = [&](Recipe& recipe) {
        plain(recipe);
        one.set(recipe, one.argument);
      };
      if (Try(peculiar)) return;
    }
  }

  /// Gives the property its simplest value that still fails; true if that is simpler than before.
  bool Walk(const Coordinate& coordinate) {
    if (Try([&](Recipe& recipe) {
          if (coordinate.plain) coordinate.plain(recipe);
        })) {
      return true;
    }
    for (const Peculiarity& value : coordinate.values) {
      if (value.set == nullptr || (value.wild && !value.Holds(best_.recipe))) continue;
      if (Try([&](Recipe& recipe) { value.set(recipe, value.argument); })) return true;
    }
    return false;
  }

  template <typename Change>
  bool Try(const Change& change) {
    if (Spent()) return false;
    Recipe candidate;
    Copy(best_.recipe, candidate);
    change(candidate);
    FollowWays(profile_, candidate);
    Normalize(candidate);
    return Accept(candidate);
  }

  bool Accept(const Recipe& candidate) {
    const PeculiaritySet set = PeculiaritiesOf(candidate);
    if (!IsPlainer(set, best_.set) || (LawsOf(candidate) & ~laws_) != 0) return false;
    ++runs_;
    if (!fails_(candidate)) return false;
    Copy(candidate, best_.recipe);
    best_.set = set;
    return true;
  }

  /// Sizes, values and strides: no new non-default value may come in.
  void Shorten() {
    const double left = budget_.seconds - cost_.Seconds();
    Shrink(best_.recipe, {budget_.runs - runs_, left}, [&](const Recipe& candidate) {
      const PeculiaritySet set = PeculiaritiesOf(candidate);
      if (set != best_.set && !IsPlainer(set, best_.set)) return false;
      if (!fails_(candidate)) return false;
      Copy(candidate, best_.recipe);
      best_.set = set;
      return true;
    });
  }

  const SearchCost cost_;
  const Profile& profile_;
  const ShrinkBudget budget_;
  const std::function<bool(const Recipe&)>& fails_;
  const uint32_t laws_;
  int runs_ = 0;
  Reduced best_;
};

}  // namespace

bool IsPlainer(const PeculiaritySet& a, const PeculiaritySet& b) {
  const PeculiaritySet differ = a ^ b;
  for (size_t i = differ.size(); i-- > 0;) {
    if (differ[i]) return b[i];
  }
  return false;
}

bool MayReduceTo(const PeculiaritySet& whole, const PeculiaritySet& part) {
  if (part != whole && !IsPlainer(part, whole)) return false;
  return std::all_of(ValueSets().begin(), ValueSets().end(), [&](const ValueSet& values) {
    const PeculiaritySet come = part & ~whole & values.all;
    return come.none() || ((come & ~values.tried).none() && (whole & values.all).any());
  });
}

Reduced Reduce(const Recipe& recipe, const Profile& profile, const ShrinkBudget& budget,
               const std::function<bool(const Recipe&)>& fails) {
  return Reducing(recipe, profile, budget, fails).Run();
}

std::optional<Recipe> WithADimension(const Reduced& reduced, const Profile& profile) {
  static const auto kRank1 = static_cast<size_t>(PeculiarityIndex("rank-1"));
  if (reduced.set[kRank1] || !Scalars().values.front().Holds(reduced.recipe)) return std::nullopt;
  std::optional<Recipe> more(std::in_place);
  Copy(reduced.recipe, *more);
  GiveDimension(*more);
  FollowWays(profile, *more);
  Normalize(*more);
  const PeculiaritySet set = PeculiaritiesOf(*more);
  const bool lies = (LawsOf(*more) & ~LawsOf(reduced.recipe)) != 0;
  if (!set[kRank1] || !IsWithin(reduced.set, set) || lies) return std::nullopt;
  return more;
}

}  // namespace dlpack_cts
