// base/cpu_time.cc: reads /proc/PID/stat of all processes.
#include "base/cpu_time.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cctype>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace dlpack_cts {
namespace {

struct Process {
  int parent = 0;
  int64_t ticks = 0;  // of the process, and of the children that it waited for
};

/// False if the process has ended meanwhile.
bool Read(const std::string& pid, Process* process) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  const size_t name_end = line.rfind(')');  // the name may hold blanks and parentheses
  if (name_end == std::string::npos) return false;
  int64_t user = 0;
  int64_t system = 0;
  int64_t children_user = 0;
  int64_t children_system = 0;
  const int read =
      std::sscanf(line.c_str() + name_end + 1,
                  " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
                  &process->parent, &user, &system, &children_user, &children_system);
  process->ticks = user + system + children_user + children_system;
  return read == 5;
}

std::map<int, Process> Processes() {
  std::map<int, Process> processes;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return processes;
  while (const dirent* entry = readdir(folder)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
    Process process;
    if (Read(entry->d_name, &process)) processes[std::atoi(entry->d_name)] = process;
  }
  closedir(folder);
  return processes;
}

/// Whether `pid` is below `ancestor`.
bool IsBelow(const std::map<int, Process>& processes, int pid, int ancestor) {
  // While the list is read, a number may be used again, so that parents may form a circle.
  for (size_t steps = 0; steps < processes.size(); ++steps) {
    const auto found = processes.find(pid);
    if (found == processes.end()) return false;
    pid = found->second.parent;
    if (pid == ancestor) return true;
  }
  return false;
}

double UsedBy(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

double CpuSecondsOfAll() {
  int64_t ticks = 0;
  const std::map<int, Process> processes = Processes();
  for (const auto& [pid, process] : processes) {
    if (IsBelow(processes, pid, getpid())) ticks += process.ticks;
  }
  return UsedBy(RUSAGE_SELF) + UsedBy(RUSAGE_CHILDREN) +
         static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace dlpack_cts
