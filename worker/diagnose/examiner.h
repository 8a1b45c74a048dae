// worker/diagnose/examiner.h: what diagnosis asks about one recipe.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_EXAMINER_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_EXAMINER_H_

#include <optional>
#include <string_view>

#include "harness/recipe/recipe.h"
#include "worker/diagnose/example.h"
#include "worker/diagnose/violated_fact.h"

namespace dlpack_cts::worker {

/// Which wrong facts of an exchange count.
struct Focus {
  std::string_view fact = {};         // a pattern: only that fact
  std::optional<Family> beside = {};  // facts of this family do not count
  bool own = false;                   // only what the case's judge reports for the library, but not for the reference
};

/// What one run of a recipe showed.
struct Examined {
  Example example;
  ViolatedFact violated;                  // the first violated fact in focus; empty if no fact is wrong
  ViolatedFact judged;                    // what the case reports about the library, whatever the reference does
  std::string_view reference_fault = {};  // how the reference contradicts the oracle; then nothing can be compared
};

/// Runs recipes for one case.
class Examiner {
 public:
  virtual ~Examiner() = default;

  /// Runs the recipe with the library and with the reference. The violated fact is the first in focus that differs.
  /// Without one it is what the case's judge reports for the library and not for the reference.
  virtual Examined Examine(const Recipe& recipe, const Focus& focus) = 0;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_EXAMINER_H_
