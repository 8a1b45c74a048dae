// results/stopwatch.h: how much of its time limit the running example of another process has used.
//
// The limit is for one example, not for a case. It counts the time in which the process runs on a CPU or sleeps (a
// deadlock sleeps), but not the time in which it waits for a CPU on a busy machine. A second, generous limit applies to
// the wall clock: kWallFactor times the limit plus kWallSeconds.
#ifndef DLPACK_CTS_RESULTS_STOPWATCH_H_
#define DLPACK_CTS_RESULTS_STOPWATCH_H_

#include <cstdint>

namespace dlpack_cts {

/// The share of the limit for invalid input, because a library may hang on it.
inline constexpr double kHostileShare = 0.1;

class Stopwatch {
 public:
  static constexpr double kWallFactor = 6;
  static constexpr double kWallSeconds = 5;

  /// Watches the process from now on. `seconds` is the limit of an example.
  Stopwatch(int pid, double seconds) : pid_(pid), seconds_(seconds) {}
  void SetLimit(double seconds) { seconds_ = seconds; }

  /// Checks the process; call it about every 50 ms. `tick` changes when an example starts. True if the running example
  /// has exceeded its limit.
  bool Passed(int64_t tick);

 private:
  int pid_;
  double seconds_;
  bool running_ = false;
  int64_t tick_ = 0;
  double began_ = 0;   // when the example started, in seconds of CLOCK_MONOTONIC
  double looked_ = 0;  // the last check
  double cpu_ = 0;     // CPU seconds of the process at the last check; negative: unknown
  double used_ = 0;    // time that counts for the example, in seconds
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_STOPWATCH_H_
