// worker/process/surroundings.cc: saves and restores limits, timers, floating point, folder and signal mask.
#include "worker/process/surroundings.h"

#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cfenv>
#include <climits>
#include <csignal>
#include <cstddef>

namespace dlpack_cts::worker {
namespace {

struct Limit {
  __rlimit_resource which;
  const char* name;
};
constexpr Limit kNames[] = {{RLIMIT_AS, "RLIMIT_AS"},         {RLIMIT_DATA, "RLIMIT_DATA"},
                            {RLIMIT_STACK, "RLIMIT_STACK"},   {RLIMIT_FSIZE, "RLIMIT_FSIZE"},
                            {RLIMIT_NOFILE, "RLIMIT_NOFILE"}, {RLIMIT_NPROC, "RLIMIT_NPROC"},
                            {RLIMIT_CPU, "RLIMIT_CPU"},       {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"}};

struct Timer {
  __itimer_which which;
  const char* name;
};
constexpr Timer kTimers[] = {
    {ITIMER_REAL, "ITIMER_REAL"}, {ITIMER_VIRTUAL, "ITIMER_VIRTUAL"}, {ITIMER_PROF, "ITIMER_PROF"}};

/// RLIM_INFINITY is the largest number.
bool IsLower(const rlimit& now, const rlimit& then) {
  return now.rlim_cur < then.rlim_cur || now.rlim_max < then.rlim_max;
}

bool FolderIs(dev_t device, ino_t inode) {
  struct stat here{};
  return stat(".", &here) == 0 && here.st_dev == device && here.st_ino == inode;
}

bool Exists() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) != nullptr;
}

}  // namespace

Surroundings::Surroundings() : umask_(umask(0)) {
  static_assert(std::size(kNames) == kLimits);
  umask(umask_);
  for (size_t i = 0; i < kLimits; ++i) getrlimit(kNames[i].which, &limits_[i]);
  // Much of Python fails if the working folder was deleted.
  char path[PATH_MAX];
  if (getcwd(path, sizeof(path)) == nullptr) {
    [[maybe_unused]] const int ignored = chdir("/");
    path[0] = '/';
    path[1] = '\0';
  }
  folder_ = path;
  struct stat here{};
  if (stat(".", &here) != 0) return;
  device_ = here.st_dev;
  inode_ = here.st_ino;
}

std::vector<std::string> Surroundings::Restore() {
  std::vector<std::string> changed;
  for (size_t i = 0; i < kLimits; ++i) {
    rlimit now{};
    if (getrlimit(kNames[i].which, &now) != 0 || !IsLower(now, limits_[i])) continue;
    std::string what = std::string("lowered the limit ") + kNames[i].name;
    if (setrlimit(kNames[i].which, &limits_[i]) != 0) {
      // Without privileges only the soft limit can be raised, up to the remaining hard limit.
      const rlimit raised = {now.rlim_max, now.rlim_max};
      setrlimit(kNames[i].which, &raised);
      what += ", which cannot be raised again";
    }
    changed.push_back(what);
  }
  for (const Timer& timer : kTimers) {
    itimerval armed{};
    if (getitimer(timer.which, &armed) != 0 || (armed.it_value.tv_sec == 0 && armed.it_value.tv_usec == 0)) continue;
    const itimerval off{};
    setitimer(timer.which, &off, nullptr);
    changed.push_back(std::string("armed the timer ") + timer.name);
  }
  if (std::fegetround() != FE_TONEAREST) {
    std::fesetround(FE_TONEAREST);
    changed.emplace_back("changed the floating-point rounding mode");
  }
#if defined(__GLIBC__)
  if (fegetexcept() > 0) {
    fedisableexcept(FE_ALL_EXCEPT);
    changed.emplace_back("unmasked floating-point exceptions");
  }
#endif
  RestoreFolder();
  umask(umask_);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  return changed;
}

void Surroundings::RestoreFolder() {
  if (FolderIs(device_, inode_) && Exists()) return;
  if (chdir(folder_.c_str()) == 0 && FolderIs(device_, inode_)) return;
  [[maybe_unused]] const int ignored = chdir("/");
  folder_ = "/";
  struct stat here{};
  if (stat(".", &here) != 0) return;
  device_ = here.st_dev;
  inode_ = here.st_ino;
}

}  // namespace dlpack_cts::worker
