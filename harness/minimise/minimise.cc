// harness/minimise/minimise.cc: minimises the properties of a recipe one by one, then its sizes.
#include "harness/minimise/minimise.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/case/case.h"
#include "harness/minimise/search_cost.h"
#include "harness/minimise/simpler.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

uint32_t LawsOf(const Recipe& recipe) {
  uint32_t laws = 0;
  for (int i = 0; i < recipe.used.offers; ++i) laws |= BrokenLaws(recipe.offer(i));
  return laws;
}

/// The values of a property, and the simpler values that minimising tries instead.
struct ValueSet {
  TriggerSet all;
  TriggerSet tried;
};

const std::vector<ValueSet>& ValueSets() {
  static const std::vector<ValueSet> sets = [] {
    std::vector<ValueSet> all;
    for (const Property& property : AllProperties()) {
      ValueSet& set = all.emplace_back();
      for (const Trigger& value : property.values) {
        const auto index = static_cast<size_t>(TriggerIndex(value.id));
        set.all.set(index);
        set.tried.set(index, value.set != nullptr && !value.wild);
      }
    }
    return all;
  }();
  return sets;
}

class Minimiser {
 public:
  Minimiser(const Recipe& recipe, const Predicate& fails, const Budget& budget, const Profile& profile)
      : fails_(fails), budget_(budget), profile_(profile), laws_(LawsOf(recipe)) {
    Copy(recipe, best_.recipe);
    best_.set = TriggersOf(recipe);
  }

  Minimised Run() {
    Alone();
    // A value that could not be removed may be removable after a later one is gone.
    for (bool plainer = true; plainer && !Spent();) {
      plainer = false;
      for (const Property& property : AllProperties()) plainer = Walk(property) || plainer;
    }
    // Sizes, values and strides must not add a new non-default value.
    Shorten([this](const Recipe& candidate) {
      const TriggerSet set = TriggersOf(candidate);
      return set == best_.set || IsPlainer(set, best_.set);
    });
    return best_;
  }

  Recipe RunOnValues() {
    Shorten([](const Recipe&) { return true; });
    return best_.recipe;
  }

  std::vector<unsigned> RunOnSteps() {
    std::vector<unsigned> needed(best_.recipe.life().size());
    std::iota(needed.begin(), needed.end(), 0u);
    for (size_t at = needed.size(); at-- > 0 && !Spent(); ++runs_) {
      std::vector<unsigned> fewer = needed;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      if (!fewer.empty() && fails_(WithSteps(best_.recipe, fewer))) needed = std::move(fewer);
    }
    return needed;
  }

 private:
  bool Spent() const { return runs_ >= budget_.runs || cost_.Reaches(budget_.seconds); }

  /// Tries the default exchange with one non-default value. A failure with one trigger is found immediately.
  void Alone() {
    const TriggerSet set = best_.set;
    const RecipeKind kind = best_.recipe.kind;
    const auto plain = [&](Recipe& recipe) {
      recipe = MakeRecipe(kind);
      SetPlainLife(recipe);
    };
    if (Try(plain)) return;
    for (size_t i = 0; i < AllTriggers().size(); ++i) {
      const Trigger& one = *AllTriggers()[i];
      if (!set[i] || one.set == nullptr) continue;
      const auto peculiar = [&](Recipe& recipe) {
        plain(recipe);
        one.set(recipe, one.argument);
      };
      if (Try(peculiar)) return;
    }
  }

  /// Gives the property its simplest value that still fails. True if that is simpler than before.
  bool Walk(const Property& property) {
    if (Try([&](Recipe& recipe) {
          if (property.plain) property.plain(recipe);
        })) {
      return true;
    }
    for (const Trigger& value : property.values) {
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
    const TriggerSet set = TriggersOf(candidate);
    if (!IsPlainer(set, best_.set) || (LawsOf(candidate) & ~laws_) != 0) return false;
    ++runs_;
    return fails_(candidate) && Take(candidate);
  }

  /// Whether the tensors are in memory that the library takes. A library that takes only device memory refuses a tensor
  /// in host memory for that reason alone.
  bool IsPlacedWell(const Recipe& candidate) const {
    if (!profile_.Claims(Claim::kCuda)) return true;
    Recipe placed;
    Copy(candidate, placed);
    PlaceOffers(profile_, placed);
    return Same(placed, candidate);
  }

  bool Take(const Recipe& candidate) {
    Copy(candidate, best_.recipe);
    best_.set = TriggersOf(candidate);
    return true;
  }

  /// Tries the simpler recipes that `may` accepts, until none of them fails or the budget is spent.
  template <typename May>
  void Shorten(const May& may) {
    for (int change = 0;;) {
      std::optional<Recipe> next;
      change = VisitSimpler(best_.recipe, change, [&](const Recipe& candidate) {
        if (Spent()) return true;
        if (!may(candidate) || !IsPlacedWell(candidate)) return false;
        ++runs_;
        if (fails_(candidate)) Copy(candidate, next.emplace());
        return next.has_value();
      });
      if (!next) return;
      Take(*next);
    }
  }

  const SearchCost cost_;
  const Predicate& fails_;
  const Budget budget_;
  const Profile& profile_;
  const uint32_t laws_;
  int runs_ = 0;
  Minimised best_;
};

}  // namespace

bool IsPlainer(const TriggerSet& a, const TriggerSet& b) {
  const TriggerSet differ = a ^ b;
  for (size_t i = differ.size(); i-- > 0;) {
    if (differ[i]) return b[i];
  }
  return false;
}

bool MayReduceTo(const TriggerSet& whole, const TriggerSet& part) {
  if (part != whole && !IsPlainer(part, whole)) return false;
  return std::all_of(ValueSets().begin(), ValueSets().end(), [&](const ValueSet& values) {
    const TriggerSet come = part & ~whole & values.all;
    return come.none() || ((come & ~values.tried).none() && (whole & values.all).any());
  });
}

Minimised Minimise(const Recipe& recipe, const Predicate& fails, const Budget& budget, const Profile& profile) {
  return Minimiser(recipe, fails, budget, profile).Run();
}

Recipe MinimiseValues(const Recipe& recipe, const Predicate& fails, const Budget& budget, const Profile& profile) {
  return Minimiser(recipe, fails, budget, profile).RunOnValues();
}

std::vector<unsigned> NeededSteps(const Recipe& recipe, const Predicate& fails, const Budget& budget) {
  return Minimiser(recipe, fails, budget, {}).RunOnSteps();
}

Recipe WithSteps(const Recipe& recipe, std::span<const unsigned> steps) {
  Recipe fewer;
  Copy(recipe, fewer);
  fewer.used.steps = 0;
  for (const unsigned step : steps) {
    if (step < recipe.life().size()) fewer.steps[fewer.used.steps++] = recipe.life()[step];
  }
  return fewer;
}

std::optional<Recipe> WithADimension(const Minimised& minimised, const Profile& profile) {
  static const auto kRank1 = static_cast<size_t>(TriggerIndex("rank-1"));
  if (minimised.set[kRank1] || !Scalars().values.front().Holds(minimised.recipe)) return std::nullopt;
  std::optional<Recipe> more(std::in_place);
  Copy(minimised.recipe, *more);
  GiveDimension(*more);
  FollowWays(profile, *more);
  Normalize(*more);
  const TriggerSet set = TriggersOf(*more);
  const bool lies = (LawsOf(*more) & ~LawsOf(minimised.recipe)) != 0;
  if (!set[kRank1] || !IsWithin(minimised.set, set) || lies) return std::nullopt;
  return more;
}

}  // namespace dlpack_cts
