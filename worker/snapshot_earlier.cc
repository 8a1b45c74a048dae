// worker/snapshot_earlier.cc: finds the earlier exchanges that a failure needs.
#include <unistd.h>

#include <optional>
#include <utility>

#include "harness/recipe/codec.h"
#include "harness/recipe/sentence.h"
#include "worker/diagnose/symptom.h"
#include "worker/run/case_runner.h"
#include "worker/run/trial.h"
#include "worker/snapshot.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kMostHistories = 8;  // of one subject: a case runs once more for each

bool IsSame(const Finding& a, const Finding& b) {
  return a.side == b.side && a.family == b.family && a.fact == b.fact && a.rule == b.rule;
}

std::vector<Recipe> RecipesOf(const nlohmann::json& list) {
  std::vector<Recipe> recipes(list.size());
  std::string ignored;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!FromJson(list[i].dump(), &recipes[i], &ignored)) return {};
  }
  return recipes;
}

}  // namespace

/// The finding with the exchanges before it, from another run of its case. If it does not appear again: the first
/// finding of the same side in that run, or nothing. If the case must not run again: the finding without them.
std::optional<Finding> Snapshot::WithHistory(const Finding& seen, int index, const Case& tested) {
  Finding told = seen;
  if (job_.replay) {
    for (const Recipe& one : job_.earlier) told.earlier.push_back(nlohmann::json::parse(dlpack_cts::ToJson(one)));
    return told;
  }
  if (!job_.fork || ++histories_ > kMostHistories) return told;
  findings_.clear();
  InChild(LimitOf(index), [&](const Output& out) {
    Trial trial(stage_->engine, stage_->peer, board_);
    trial.Begin(index, tested);
    trial.RememberEarlier();
    std::optional<Finding> first;
    const auto tell = [&](const Finding& again) {
      if (again.side == seen.side && !first) first = again;
      if (!IsSame(again, seen)) return;
      out.Write(ToJson(again));
      out.Write(nlohmann::json{{"type", "done"}});
      _exit(0);  // before the case makes anything smaller
    };
    CaseRunner(trial, board_, profile_, stage_->driven.subject.IsPython(), job_, ExtentOf(tested),
               {.found = [](const Observation&) {}, .suspect = tell})
        .Run(tested);
    if (first) out.Write(ToJson(*first));
  });
  const std::vector<Finding> again = std::exchange(findings_, {});
  if (again.empty()) return std::nullopt;
  told = again.front();
  told.case_id = seen.case_id;
  told.mutant = seen.mutant;
  told.count = seen.count;
  told.judged = seen.judged;
  return told;
}

/// Whether the recipe, which shows nothing alone, fails in a process that has run these exchanges before.
bool Snapshot::ShowsBehind(const std::vector<Recipe>& earlier, const Recipe& recipe, const Finding& seen, int index) {
  findings_.clear();
  const Case& tested = *FindCase(seen.case_id);
  InChild(LimitOf(index), [&](const Output& out) {
    Trial trial(stage_->engine, stage_->peer, board_);
    trial.Begin(index, tested);
    for (const Recipe& one : earlier) trial.RunWhole(tested, one);
    const Symptom symptom = trial.Examine(tested, recipe);
    if (symptom.Any() && symptom.side == seen.side) out.Write(ToJson(seen));
  });
  return !std::exchange(findings_, {}).empty();
}

/// The finding with the fewest earlier exchanges that it needs.
Finding Snapshot::BehindOthers(const Finding& seen, int index) {
  std::optional<Finding> again = WithHistory(seen, index, *FindCase(seen.case_id));
  if (!again) return AtTimes(seen);
  Finding told = *std::move(again);
  std::vector<Recipe> earlier = RecipesOf(told.earlier);
  const std::vector<Recipe> last = RecipesOf(nlohmann::json::array({told.recipe}));
  if (last.empty() || earlier.empty()) return seen;
  if (!ShowsBehind(earlier, last.front(), told, index)) return AtTimes(seen);
  const auto shows = [&](const std::vector<Recipe>& fewer) { return ShowsBehind(fewer, last.front(), told, index); };
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
  told.earlier = nlohmann::json::array();
  for (const Recipe& one : earlier) {
    told.earlier.push_back(nlohmann::json::parse(dlpack_cts::ToJson(one)));
    told.words.example += (told.earlier.size() == 1 ? "; after: " : "; then: ") + SentenceOf(one);
  }
  return told;
}

}  // namespace dlpack_cts::worker
