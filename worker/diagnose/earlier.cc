// worker/diagnose/earlier.cc: finds the earlier exchanges that a failure needs, or shows that it needs none.
//
// Earlier exchanges are accused only if the same exchange without them passes in each of several new processes.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/failure.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/sentence.h"
#include "worker/diagnose/diagnosis.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kMostHistories = 8;  // for one subject: each runs a case once more
constexpr int kControls = 3;       // new processes in which the exchange has to pass without earlier ones

std::vector<Recipe> RecipesOf(const nlohmann::json& list) {
  std::vector<Recipe> recipes;
  for (const nlohmann::json& one : list) {
    const std::optional<Recipe> recipe = IfValid([&] { return RecipeFromJson(one.dump()); });
    if (!recipe) return {};
    recipes.push_back(*recipe);
  }
  return recipes;
}

/// The same exchange with a struct address of its own for each tensor. Nothing if it is the recipe itself.
std::optional<Recipe> Apart(const Recipe& recipe) {
  std::optional<Recipe> apart(std::in_place);
  Copy(recipe, *apart);
  for (Step& step : apart->life()) {
    if (HasTrait(step.op, OpTrait::kOtherIsAddress)) step.other = Other::kNone;
  }
  Normalize(*apart);
  if (Same(*apart, recipe)) apart.reset();
  return apart;
}

bool AccusesEarlierOnes(const Finding& found) { return found.triggers == std::vector<std::string>{kEarlierExchanges}; }

}  // namespace

/// The causes of the exchange without the earlier tensor at its address. Nothing if it passes each time.
std::optional<std::vector<Finding>> Diagnosis::OwnCauses(const Finding& found) {
  const std::vector<Recipe> recipes = RecipesOf(nlohmann::json::array({found.recipe}));
  const std::optional<Recipe> alone = recipes.empty() ? std::nullopt : Apart(recipes.front());
  if (!alone) return std::nullopt;
  for (int run = 0; run < kControls; ++run) {
    const Tried tried = processes_.Find(found, *alone, {}, Budget{});
    const bool shows = std::ranges::any_of(
        tried.findings, [&](const Finding& one) { return one.side == found.side && one.family == found.family; });
    if (shows || tried.CrashedInExchange()) return Reduce(found, *alone);
  }
  return std::nullopt;
}

/// The findings, with other causes for those that an earlier tensor at the same address does not explain.
std::vector<Finding> Diagnosis::Controlled(std::vector<Finding> found) {
  std::vector<Finding> controlled;
  for (Finding& one : found) {
    std::optional<std::vector<Finding>> own;
    if (AccusesEarlierOnes(one)) own = OwnCauses(one);
    if (own) {
      if (own->empty()) own->push_back(AtTimes(one));
      std::ranges::move(*own, std::back_inserter(controlled));
    } else {
      controlled.push_back(std::move(one));
    }
  }
  return controlled;
}

/// The finding with the exchanges before it, from another run of its case. If it does not appear again: the first
/// finding of the same side in that run, or nothing. Nothing also if no exchange ran before it. If the case must not
/// run again: the finding without them.
std::optional<Finding> Diagnosis::WithHistory(const Finding& seen) {
  Finding found = seen;
  if (job_.replay) {
    for (const Recipe& one : job_.earlier) found.earlier.push_back(nlohmann::json::parse(dlpack_cts::ToJson(one)));
    return found;
  }
  if (!job_.fork || ++histories_ > kMostHistories) return found;
  const std::vector<Finding> again = processes_.RunAgain(seen);
  if (again.empty() || again.front().earlier.empty()) return std::nullopt;
  found = again.front();
  KeepOrigin(seen, found);
  return found;
}

/// The causes that an exchange has without earlier ones, in the first of so many new processes that shows any.
std::vector<Finding> Diagnosis::Alone(const Finding& seen, const Recipe& recipe, int processes) {
  for (int run = 0; run < processes; ++run) {
    std::vector<Finding> own = Accuse(Controlled(Reduce(seen, recipe)));
    if (!own.empty()) return own;
  }
  return {};
}

/// The causes of an exchange that showed nothing in one new process: its own, if it shows something in another one,
/// else the earlier exchanges.
std::vector<Finding> Diagnosis::BehindOthers(const Finding& seen, const Recipe& recipe) {
  if (std::vector<Finding> own = Alone(seen, recipe, kControls - 1); !own.empty()) return own;
  const std::optional<Finding> again = WithHistory(seen);
  if (!again) return {AtTimes(seen)};
  // The case may have shown another exchange when it ran again.
  const std::vector<Recipe> last = RecipesOf(nlohmann::json::array({again->recipe}));
  if (!last.empty() && !Same(last.front(), recipe)) {
    if (std::vector<Finding> own = Alone(*again, last.front(), kControls); !own.empty()) return own;
  }
  return {AfterFewest(seen, *again)};
}

/// The finding with the fewest earlier exchanges that it needs. `seen` if that cannot be found out.
Finding Diagnosis::AfterFewest(const Finding& seen, Finding found) {
  std::vector<Recipe> earlier = RecipesOf(found.earlier);
  const std::vector<Recipe> last = RecipesOf(nlohmann::json::array({found.recipe}));
  if (last.empty() || earlier.empty()) return seen;
  const auto shows = [&](const std::vector<Recipe>& fewer) {
    return processes_.ShowsAfter(fewer, last.front(), found);
  };
  if (!shows(earlier)) return AtTimes(seen);
  for (size_t count = 1; count < earlier.size(); count *= 2) {
    const std::vector<Recipe> fewer(earlier.end() - static_cast<ptrdiff_t>(count), earlier.end());
    if (!shows(fewer)) continue;
    earlier = fewer;
    break;
  }
  for (size_t i = 0; i < earlier.size() && earlier.size() > 1;) {
    std::vector<Recipe> fewer = earlier;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    if (shows(fewer)) {
      earlier = std::move(fewer);
    } else {
      ++i;
    }
  }
  found.earlier = nlohmann::json::array();
  for (const Recipe& one : earlier) {
    found.earlier.push_back(nlohmann::json::parse(dlpack_cts::ToJson(one)));
    found.words.example += (found.earlier.size() == 1 ? "; after: " : "; then: ") + SentenceOf(one);
  }
  return found;
}

}  // namespace dlpack_cts::worker
