// harness/minimise/search_cost.cc: reads the CPU time of this process and of its children.
#include "harness/minimise/search_cost.h"

#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace dlpack_cts {
namespace {

double InSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double UsedBy(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return InSeconds(usage.ru_utime) + InSeconds(usage.ru_stime);
}

}  // namespace

double SearchCost::OfProcessors() { return UsedBy(RUSAGE_SELF) + UsedBy(RUSAGE_CHILDREN); }

double SearchCost::Seconds() const { return std::max(OfProcessors() - spent_, Passed() / kPatience); }

bool SearchCost::Reaches(double seconds) const {
  static const double processors = std::max(1u, std::thread::hardware_concurrency());
  return Passed() * processors >= seconds && Seconds() >= seconds;
}

}  // namespace dlpack_cts
