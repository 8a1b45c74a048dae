// base/shortage.cc: says which limit to raise, and ends a process that cannot go on.
#include "base/shortage.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace dlpack_cts {
namespace {

std::function<void(const Failure& failure)>& Handler() {
  static std::function<void(const Failure& failure)> handler;
  return handler;
}

const char* HintFor(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n), or close other programs";
    case EAGAIN:
      return "raise the limit on processes and threads (ulimit -u), or close other programs";
    case ENOMEM:
      return "raise the limits on memory (ulimit -v, ulimit -d), or close other programs";
    case ENOSPC:
    case EDQUOT:
      return "free some space in the folder for temporary files";
    default:
      return "raise the limits of the system, or close other programs";
  }
}

}  // namespace

Failure Shortage(const std::string& what, int error) {
  return Failure(what + ": " + std::strerror(error), HintFor(error));
}

void RaiseLimits() {
  constexpr rlim_t kFiles = 1024;  // more would slow down programs that close every descriptor
  for (const auto which : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC, RLIMIT_NOFILE}) {
    rlimit limit{};
    if (getrlimit(which, &limit) != 0) continue;
    const rlim_t wanted = which == RLIMIT_NOFILE ? std::min(kFiles, limit.rlim_max) : limit.rlim_max;
    if (limit.rlim_cur >= wanted) continue;
    limit.rlim_cur = wanted;
    setrlimit(which, &limit);
  }
}

void RequireFiles(int count) {
  std::vector<int> opened;
  int error = 0;
  for (int i = 0; i < count && error == 0; ++i) {
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) opened.push_back(fd);
    if (fd < 0) error = errno;
  }
  for (const int fd : opened) close(fd);
  if (error != 0) throw Shortage("dlpack-cts cannot open " + std::to_string(count) + " more files", error);
}

void StopForShortage(const std::string& what, int error) {
  const Failure failure = Shortage(what, error);
  if (Handler()) Handler()(failure);
  std::fputs(Printed(failure).c_str(), stderr);
  std::abort();
}

void SetShortageHandler(std::function<void(const Failure& failure)> handler) { Handler() = std::move(handler); }

}  // namespace dlpack_cts
