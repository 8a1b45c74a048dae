// base/descendants.cc: adopts processes with PR_SET_CHILD_SUBREAPER, and finds them in /proc.
#include "base/descendants.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>

#include "base/clock.h"

namespace dlpack_cts {
namespace {

constexpr double kPatience = 1;  // seconds
constexpr useconds_t kLookMicroseconds = 200;

/// One system call: most libraries start no process.
bool HasChildren() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

std::vector<pid_t> ChildrenWithout(const std::vector<pid_t>& kept) {
  std::vector<pid_t> left = Children();
  std::erase_if(left, [&](pid_t child) { return std::find(kept.begin(), kept.end(), child) != kept.end(); });
  return left;
}

}  // namespace

void AdoptDescendants() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  DIR* const threads = HasChildren() ? opendir("/proc/self/task") : nullptr;
  if (threads == nullptr) return children;
  while (const dirent* thread = readdir(threads)) {
    if (thread->d_name[0] == '.') continue;
    std::ifstream file(std::string("/proc/self/task/") + thread->d_name + "/children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  closedir(threads);
  return children;
}

void ReapChildren(const std::vector<pid_t>& kept) {
  for (const pid_t child : ChildrenWithout(kept)) waitpid(child, nullptr, WNOHANG | __WALL);
}

void EndChildren(const std::vector<pid_t>& kept) {
  const double latest = Now() + kPatience;
  do {
    const std::vector<pid_t> left = ChildrenWithout(kept);
    if (left.empty()) return;
    for (const pid_t child : left) kill(child, SIGKILL);
    usleep(kLookMicroseconds);
    for (const pid_t child : left) waitpid(child, nullptr, WNOHANG | __WALL);
  } while (Now() < latest);
}

}  // namespace dlpack_cts
