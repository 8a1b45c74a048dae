// tests/worker/fakes.h: libraries that fail as a test says, for diagnosis without a process.
#ifndef DLPACK_CTS_TESTS_WORKER_FAKES_H_
#define DLPACK_CTS_TESTS_WORKER_FAKES_H_

#include <algorithm>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/codec.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "worker/diagnose/examiner.h"
#include "worker/diagnose/finder.h"
#include "worker/diagnose/processes.h"

namespace dlpack_cts::worker {

inline constexpr char kCase[] = "diagnose/import/fails";

inline Recipe Plain(RecipeKind kind = RecipeKind::kImport) {
  Recipe recipe = MakeRecipe(kind);
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

/// A matrix with an offset of one element, of which float64 is not the cause.
inline Recipe Rich() {
  Recipe recipe = Plain();
  Offer& offer = recipe.offer();
  offer.dtype = {abi::kDLFloat, 64, 1};
  offer.dims = 2;
  offer.ndim = 2;
  offer.shape[0] = 3;
  offer.shape[1] = 5;
  offer.byte_offset = 8;
  Normalize(recipe);
  return recipe;
}

inline bool HasOffset(const Recipe& recipe) { return recipe.offer().byte_offset != 0; }
inline bool HasDims(const Recipe& recipe) { return recipe.offer().dims > 0; }
inline bool Always(const Recipe&) { return true; }

inline ViolatedFact Wrong(Family family, std::string fact, Side side = Side::kImport) {
  ViolatedFact violated;
  violated.side = side;
  violated.family = family;
  violated.fact = std::move(fact);
  violated.Joins(family);
  return violated;
}

/// Shows the first violated fact in focus whose condition holds.
class FakeExaminer final : public Examiner {
 public:
  struct Rule {
    std::function<bool(const Recipe&)> fails;
    ViolatedFact violated;
    bool own = false;  // only the case's judge reports it
  };

  Examined Examine(const Recipe& recipe, const Focus& focus) override {
    ++runs;
    ran.push_back(recipe);
    Examined seen;
    seen.example = example;
    seen.judged = judged;
    seen.reference_fault = reference_fault;
    for (const Rule& rule : rules) {
      const bool out = rule.own != focus.own || (!focus.fact.empty() && rule.violated.fact != focus.fact) ||
                       rule.violated.family == focus.beside;
      if (out || !rule.fails(recipe)) continue;
      if (!seen.violated.Any()) seen.violated = rule.violated;
      seen.violated.Joins(rule.violated.family);
    }
    return seen;
  }

  std::vector<Rule> rules;
  Example example;
  ViolatedFact judged;
  std::string_view reference_fault;
  int runs = 0;
  std::vector<Recipe> ran;
};

/// Processes that a recipe crashes if a condition holds, and a Finder in each.
class FakeProcesses final : public Processes {
 public:
  Tried Examine(std::string_view, const Recipe& recipe, double seconds) override {
    ++runs;
    limits.push_back(seconds);
    return crashes(recipe) ? Crash(recipe) : Tried{};
  }

  Series ExamineEach(std::string_view, const std::function<void(const Run& run)>& work, double seconds) override {
    ++runs;
    limits.push_back(seconds);
    Series series;
    bool alive = true;
    work([&](const Recipe& recipe) {
      if (alive && (crashes(recipe) || (series.survived > 0 && crashes_later(recipe)))) {
        series.last = Crash(recipe);
        alive = false;
      }
      if (alive) ++series.survived;
    });
    return series;
  }

  Tried Find(const Finding& suspect, const Recipe& recipe, const std::vector<Recipe>& crashing,
             const Budget& budget) override {
    ++finds;
    last_budget = budget;
    if (crashes(recipe)) return Crash(recipe);
    // The first candidate that crashes ends the process.
    for (const Recipe& candidate : candidates) {
      const auto is_candidate = [&](const Recipe& one) { return Same(one, candidate); };
      if (std::none_of(crashing.begin(), crashing.end(), is_candidate)) return Crash(candidate);
    }
    Tried tried;
    const std::vector<Avoided> avoided;
    Finder finder(examiner, *FindCase(kCase), profile, {crashing, avoided, budget});
    tried.findings = finder.Find(recipe, suspect.swept);
    for (Finding& one : tried.findings) one.case_id = suspect.case_id;
    return tried;
  }

  std::vector<Finding> RunAgain(const Finding& suspect) override {
    ++again;
    if (history.empty()) return {};
    Finding found = suspect;
    if (shown_again) found.recipe = nlohmann::json::parse(dlpack_cts::ToJson(*shown_again));
    for (const Recipe& one : history) found.earlier.push_back(nlohmann::json::parse(dlpack_cts::ToJson(one)));
    return {found};
  }

  bool ShowsAfter(const std::vector<Recipe>& earlier, const Recipe&, const Finding&) override {
    ++replays;
    return shows_after(earlier);
  }

  Tried FindInHalf(Side side, const Recipe& recipe, const Finding& found) override {
    Tried tried;
    if (!in_half(side)) return tried;
    ViolatedFact violated = Wrong(Family::kPlace, found.fact);
    tried.findings.push_back(AccusedOf(found, violated, side, recipe));
    return tried;
  }

  Tried Crash(const Recipe& recipe) const {
    Tried tried;
    tried.ending = ending;
    Remains& remains = tried.remains.emplace();
    remains.example = 0;
    Copy(recipe, remains.recipe);
    remains.ledger.step = step;
    return tried;
  }

  FakeExaminer examiner;
  Profile profile{};
  std::function<bool(const Recipe&)> crashes = [](const Recipe&) { return false; };
  std::function<bool(const Recipe&)> crashes_later = crashes;  // in a process that has run another recipe
  std::function<bool(const std::vector<Recipe>&)> shows_after = [](const auto&) { return false; };
  std::function<bool(Side)> in_half = [](Side) { return false; };
  std::vector<Recipe> candidates;  // that crash, although the suspect does not
  std::vector<Recipe> history;
  std::optional<Recipe> shown_again;  // by the case when it runs again, instead of the suspect
  Ending ending{.end = End::kSignal, .code = SIGSEGV};
  int step = 2;
  int runs = 0;
  int finds = 0;
  int again = 0;
  int replays = 0;
  Budget last_budget{};
  std::vector<double> limits;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_TESTS_WORKER_FAKES_H_
