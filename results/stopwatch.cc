// results/stopwatch.cc: reads the clocks and the thread states of another process.
#include "results/stopwatch.h"

#include <dirent.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

namespace dlpack_cts {
namespace {

constexpr double kLongestNap = 0.2;  // after a late check, only so much of the time counts
constexpr double kIdle = 0.1;        // CPU share below which a sleeping process counts as asleep

double Seconds(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return -1;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// CPU seconds of all threads of the process, including ended ones; -1 if the kernel does not report it.
double CpuOf(int pid) {
  clockid_t clock{};
  return clock_getcpuclockid(pid, &clock) == 0 ? Seconds(clock) : -1;
}

/// The letter for the state of a thread in /proc; 0 if the thread is gone.
char StateOf(const std::string& stat) {
  std::FILE* file = std::fopen(stat.c_str(), "re");
  if (file == nullptr) return 0;
  char text[512] = {};
  const size_t size = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  const char* name_ends = size > 0 ? std::strrchr(text, ')') : nullptr;  // the name may contain any character
  return name_ends != nullptr && name_ends[1] == ' ' ? name_ends[2] : '\0';
}

/// Whether every thread sleeps or is stopped: no thread runs, waits for a CPU, or waits for a disk.
bool IsAsleep(int pid) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  DIR* folder = opendir(tasks.c_str());
  if (folder == nullptr) return false;
  bool asleep = true;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const char state = StateOf(tasks + "/" + entry->d_name + "/stat");
    if (state != '\0' && std::strchr("STtXZ", state) == nullptr) asleep = false;
  }
  closedir(folder);
  return asleep;
}

}  // namespace

bool Stopwatch::Passed(int64_t tick) {
  const double now = Seconds(CLOCK_MONOTONIC);
  if (!running_ || tick != tick_) {
    running_ = true;
    tick_ = tick;
    began_ = looked_ = now;
    cpu_ = CpuOf(pid_);
    used_ = 0;
    return false;
  }
  const double span = now - looked_;
  const double cpu = CpuOf(pid_);
  if (cpu < 0 || cpu_ < 0) {
    used_ += span;
  } else {
    const double worked = std::min(span, cpu - cpu_);  // several threads at the same time count as one
    const bool asleep = worked < kIdle * span && IsAsleep(pid_);
    used_ += asleep ? std::max(worked, std::min(span, kLongestNap)) : worked;
  }
  looked_ = now;
  cpu_ = cpu;
  return used_ > seconds_ || now - began_ > kWallFactor * seconds_ + kWallSeconds;
}

}  // namespace dlpack_cts
