// base/memory.cc: reads /proc/PID/statm.
#include "base/memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace dlpack_cts {

int64_t ResidentBytes(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/%d/statm", static_cast<int>(pid));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  const char* second = size > 0 ? std::strchr(text, ' ') : nullptr;  // the first number is the virtual size
  int64_t pages = 0;
  if (second != nullptr) std::from_chars(second + 1, text + size, pages);
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace dlpack_cts
