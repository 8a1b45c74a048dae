// worker/run/judged_values.h: how many examples of a case had each value of a property, and how many of these were
// conclusive.
#ifndef DLPACK_CTS_WORKER_RUN_JUDGED_VALUES_H_
#define DLPACK_CTS_WORKER_RUN_JUDGED_VALUES_H_

#include <cstdint>
#include <vector>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"
#include "results/result.h"
#include "worker/run/counted_values.h"

namespace dlpack_cts::worker {

/// Counts the examples of one case by the values of their recipes.
class JudgedValues {
 public:
  void Clear();
  /// `everywhere`: also by the values at each entry point.
  void Count(const Recipe& recipe, const Ledger& ledger, bool conclusive, bool everywhere);
  /// The values with at least kEnough examples, none of them conclusive. Empty if no example at all was conclusive.
  std::vector<LostValue> Lost() const;
  /// The values with at least kEnough examples, of which a smaller share was conclusive than of all examples.
  std::vector<ValueShare> Shares() const;
  /// All values that examples had.
  std::vector<ValueShare> All() const;

 private:
  static constexpr int64_t kEnough = 20;

  struct Counts {
    int64_t drawn = 0;
    int64_t refused = 0;
    int64_t conclusive = 0;

    void Add(bool was_conclusive, bool was_refused);
  };
  template <typename Test>
  std::vector<ValueShare> List(Test test) const;

  std::vector<Counts> values_;
  Counts all_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_JUDGED_VALUES_H_
