// harness/minimise/search_cost.h: what a search has cost, whatever else the machine does.
#ifndef DLPACK_CTS_HARNESS_MINIMISE_SEARCH_COST_H_
#define DLPACK_CTS_HARNESS_MINIMISE_SEARCH_COST_H_

#include <chrono>

namespace dlpack_cts {

/// Measured in time of a processor: on a busy machine the clock alone would end a search early, and the same run would
/// tell another cause.
class SearchCost {
 public:
  /// Who only waits spends nothing of a processor: so much of the clock counts as a second.
  static constexpr double kPatience = 8;

  /// Seconds since this was made: of all threads of this process and of the processes that it waited for, or the
  /// kPatience-th part of the time that went by where that is more.
  double Seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  static double OfProcessors();

  double spent_ = OfProcessors();
  Clock::time_point began_ = Clock::now();
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_MINIMISE_SEARCH_COST_H_
