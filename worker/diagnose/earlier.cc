// worker/diagnose/earlier.cc: finds the earlier exchanges that a failure needs.
#include <optional>
#include <utility>

#include "base/failure.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/sentence.h"
#include "worker/diagnose/diagnosis.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kMostHistories = 8;  // for one subject: each runs a case once more

std::vector<Recipe> RecipesOf(const nlohmann::json& list) {
  std::vector<Recipe> recipes;
  for (const nlohmann::json& one : list) {
    const std::optional<Recipe> recipe = IfValid([&] { return RecipeFromJson(one.dump()); });
    if (!recipe) return {};
    recipes.push_back(*recipe);
  }
  return recipes;
}

}  // namespace

/// The finding with the exchanges before it, from another run of its case. If it does not appear again: the first
/// finding of the same side in that run, or nothing. If the case must not run again: the finding without them.
std::optional<Finding> Diagnosis::WithHistory(const Finding& seen) {
  Finding found = seen;
  if (job_.replay) {
    for (const Recipe& one : job_.earlier) found.earlier.push_back(nlohmann::json::parse(dlpack_cts::ToJson(one)));
    return found;
  }
  if (!job_.fork || ++histories_ > kMostHistories) return found;
  const std::vector<Finding> again = processes_.RunAgain(seen);
  if (again.empty()) return std::nullopt;
  found = again.front();
  KeepOrigin(seen, found);
  return found;
}

/// The finding with the fewest earlier exchanges that it needs.
Finding Diagnosis::BehindOthers(const Finding& seen) {
  std::optional<Finding> again = WithHistory(seen);
  if (!again) return AtTimes(seen);
  Finding found = *std::move(again);
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
