// worker/diagnose/processes.h: the new processes that diagnosis uses, as an interface.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_PROCESSES_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_PROCESSES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/attribute/attribution.h"
#include "harness/minimise/minimise.h"
#include "harness/recipe/recipe.h"
#include "results/cause.h"
#include "worker/process/ending.h"

namespace dlpack_cts::worker {

/// What a new process found, and how it ended.
struct Tried {
  std::vector<Finding> findings;
  Ending ending;
  std::optional<Remains> remains;  // of the requested case

  /// Whether the library crashed the process in an exchange of that case.
  bool CrashedInExchange() const { return ending.Crashed() && !ending.stillborn && remains.has_value(); }
};

/// What a new process found that ran several recipes.
struct Series {
  size_t survived = 0;  // so many of the first recipes crashed nothing
  Tried last;           // what the next one did, if the process crashed
};

/// Starts new processes. Each runs what is requested, and nothing before it.
class Processes {
 public:
  virtual ~Processes() = default;

  /// Runs the recipe for that case, with the library and the reference. `seconds` is the limit.
  virtual Tried Examine(std::string_view case_id, const Recipe& recipe, double seconds) = 0;

  using Run = std::function<void(const Recipe& recipe)>;
  /// As Examine(), for each recipe that `work` runs in the new process. `seconds` is the limit of each.
  virtual Series ExamineEach(std::string_view case_id, const std::function<void(const Run& run)>& work,
                             double seconds) = 0;

  /// The findings of a Finder for the suspect and its recipe.
  virtual Tried Find(const Finding& suspect, const Recipe& recipe, const std::vector<Recipe>& crashing,
                     const Budget& budget) = 0;

  /// Runs the whole case of the suspect again. Returns the same finding with the exchanges before it; if it does not
  /// appear, the first finding of the same side.
  virtual std::vector<Finding> RunAgain(const Finding& suspect) = 0;

  /// Whether the recipe fails on the side of the finding after these exchanges.
  virtual bool ShowsAfter(const std::vector<Recipe>& earlier, const Recipe& recipe, const Finding& found) = 0;

  /// The finding for that library of a pair, if it fails in the same way with the reference instead of the other
  /// library.
  virtual Tried FindInHalf(Side side, const Recipe& recipe, const Finding& found) = 0;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_PROCESSES_H_
