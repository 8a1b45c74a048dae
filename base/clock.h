// base/clock.h: the clock for limits and durations.
#ifndef DLPACK_CTS_BASE_CLOCK_H_
#define DLPACK_CTS_BASE_CLOCK_H_

#include <ctime>

namespace dlpack_cts {

/// Seconds since a fixed time before this process started. Monotonic. Safe after fork() and in a signal handler.
inline double Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_CLOCK_H_
