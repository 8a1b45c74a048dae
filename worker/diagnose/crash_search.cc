// worker/diagnose/crash_search.cc: repeats a search with the answers so far, each time in a new process.
#include "worker/diagnose/crash_search.h"

#include <limits>
#include <optional>
#include <vector>

#include "harness/minimise/search_cost.h"

namespace dlpack_cts::worker {
namespace {

/// The answers to the first candidates.
class Answers {
 public:
  explicit Answers(const CrashQuestion& question) : question_(question) {}

  void Add(bool same, size_t count = 1) { known_.insert(known_.end(), count, same); }

  /// Runs the search. `open` gets each candidate that has no answer; the search then takes it for no.
  void Run(const CrashSearch& search, const Budget& budget, const std::function<void(const Recipe&)>& open) const {
    size_t asked = 0;
    const auto fails = [&](const Recipe& candidate) {
      if (!question_.counts(candidate)) return false;
      if (asked < known_.size()) return bool{known_[asked++]};
      open(candidate);
      return false;
    };
    search(fails, budget);
  }

 private:
  const CrashQuestion& question_;
  std::vector<bool> known_;
};

}  // namespace

void SearchCrash(Processes& processes, const CrashQuestion& question, const Budget& budget, const CrashSearch& search) {
  const SearchCost cost;
  const Budget replayed = {budget.runs, std::numeric_limits<double>::infinity()};
  Answers answers(question);
  while (cost.Seconds() < budget.seconds) {
    const double left = budget.seconds - cost.Seconds();
    const auto run_each = [&](const Processes::Run& run) { answers.Run(search, {budget.runs, left}, run); };
    Series series = processes.ExamineEach(question.case_id, run_each, question.seconds);
    answers.Add(false, series.survived);
    if (!series.last.ending.Crashed()) break;
    std::optional<Recipe> crashed;
    answers.Run(search, replayed, [&](const Recipe& candidate) {
      if (!crashed) crashed = candidate;
    });
    if (!crashed) break;
    if (series.survived > 0) series.last = processes.Examine(question.case_id, *crashed, question.seconds);
    answers.Add(question.same(series.last));
  }
  answers.Run(search, replayed, [](const Recipe&) {});
}

}  // namespace dlpack_cts::worker
