// worker/process/exchange_clock.cc: subtracts CPU time and waiting for a CPU from the time of an exchange.
#include "worker/process/exchange_clock.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

#include "base/clock.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts::worker {
namespace {

constexpr double kNap = 0.002;  // seconds; shorter ones are not worth a look at the time in the run queue

double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// CpuSeconds(), or what it was less than half a nap ago: it is a system call, and most exchanges take microseconds.
double RecentCpuSeconds(double now) {
  static double asked = 0;
  static double answer = 0;
  static const int in_child = pthread_atfork(nullptr, nullptr, [] { asked = 0; });  // CPU time begins at 0 there
  if (in_child != 0 || now - asked > kNap / 2) {
    answer = CpuSeconds();
    asked = now;
  }
  return answer;
}

/// Seconds that this process waited for a CPU since the last call; a large number if the kernel does not tell.
double QueuedSeconds() {
  static double before = 0;
  unsigned long long ran = 0;
  unsigned long long queued = 0;
  std::FILE* const file = std::fopen("/proc/self/schedstat", "re");
  const bool known = file != nullptr && std::fscanf(file, "%llu %llu", &ran, &queued) == 2;
  if (file != nullptr) std::fclose(file);
  if (!known) return 1e9;
  const double seconds = 1e-9 * static_cast<double>(queued);
  return seconds - std::exchange(before, seconds);
}

}  // namespace

ExchangeClock::ExchangeClock() : began_(Now()), cpu_(RecentCpuSeconds(began_)) {}

void ExchangeClock::Stop(CrashRecord& crash_record) const {
  const double seconds = Now() - began_;
  double& longest = crash_record.longest[TakesLong(crash_record.recipe) ? 1 : 0];
  longest = std::max(longest, seconds);
  if (seconds <= kNap) return;
  const double idle = seconds - (CpuSeconds() - cpu_);
  if (idle > kNap) crash_record.asleep += std::max(0.0, idle - QueuedSeconds());
}

}  // namespace dlpack_cts::worker
