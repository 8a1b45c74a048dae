// harness/minimise/search_cost.h: the cost of a search, independent of other load on the machine.
#ifndef DLPACK_CTS_HARNESS_MINIMISE_SEARCH_COST_H_
#define DLPACK_CTS_HARNESS_MINIMISE_SEARCH_COST_H_

#include <chrono>

namespace dlpack_cts {

/// Counts CPU time. On a busy machine the wall clock would end a search early, and the same run would report another
/// cause.
class SearchCost {
 public:
  /// A search that only waits uses no CPU time. So this many seconds of wall clock count as one.
  static constexpr double kPatience = 8;

  /// Seconds since this was made: the CPU time of this process and of the children that it waited for, or the wall
  /// clock divided by kPatience if that is more.
  double Seconds() const;

  /// Whether it is at least that much. Faster than Seconds() while it cannot be, because little time has passed.
  bool Reaches(double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  static double OfProcessors();
  double Passed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  double spent_ = OfProcessors();
  Clock::time_point began_ = Clock::now();
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_MINIMISE_SEARCH_COST_H_
