// worker/run/lost_examples.h: values of properties that a case drew often, and of which no example was conclusive.
#ifndef DLPACK_CTS_WORKER_RUN_LOST_EXAMPLES_H_
#define DLPACK_CTS_WORKER_RUN_LOST_EXAMPLES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "harness/attribute/properties.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"
#include "results/result.h"

namespace dlpack_cts::worker {

/// Counts the examples of one case by the non-default values of their recipes.
class LostExamples {
 public:
  void Clear();
  void Count(const Recipe& recipe, const Ledger& ledger, bool conclusive);
  /// The values with at least kEnough examples, none of them conclusive. Empty if no example at all was conclusive.
  std::vector<LostValue> List() const;

 private:
  static constexpr int64_t kEnough = 20;

  struct Counts {
    int64_t drawn = 0;
    int64_t refused = 0;
    bool judged = false;
  };
  void Add(Counts& counts, const Ledger& ledger, bool conclusive) const;

  std::array<Counts, kMostTriggers + 1> values_{};  // the last one: tensors without dimensions
  bool judged_ = false;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_LOST_EXAMPLES_H_
