// worker/diagnose/crash_search.h: searches among recipes that may crash, with few processes.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_CRASH_SEARCH_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_CRASH_SEARCH_H_

#include <functional>
#include <string_view>

#include "harness/minimise/minimise.h"
#include "harness/recipe/recipe.h"
#include "worker/diagnose/processes.h"

namespace dlpack_cts::worker {

/// What a search asks about each of its candidates.
struct CrashQuestion {
  std::string_view case_id;
  double seconds;  // the limit of a candidate
  /// False for a candidate that is not run, because the answer is no. Depends on the candidate alone.
  std::function<bool(const Recipe& candidate)> counts;
  /// Whether a candidate that crashed a process, in which nothing ran before it, did so in the same way.
  std::function<bool(Tried& tried)> same;
};

/// A search such as Minimise(). It asks for the same candidates in the same order if it gets the same answers.
using CrashSearch = std::function<void(const Predicate& fails, const Budget& budget)>;

/// Runs the search until it ends by itself, or the budget is spent. Most candidates do not crash, and a new process
/// costs far more than an exchange. So one process runs them in turn, until one crashes it. That one then runs alone,
/// as its crash may be due to an earlier one. The search runs several times, the last time with all answers.
void SearchCrash(Processes& processes, const CrashQuestion& question, const Budget& budget, const CrashSearch& search);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_CRASH_SEARCH_H_
