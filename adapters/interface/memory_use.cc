// adapters/interface/memory_use.cc: how much memory the process holds.
#include "adapters/interface/memory_use.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace dlpack_cts {
namespace {

/// The second number of /proc/self/statm, in bytes.
int64_t Resident() {
  char text[128] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  const char* space = size > 0 ? std::strchr(text, ' ') : nullptr;
  int64_t pages = 0;
  if (space != nullptr) std::from_chars(space + 1, text + size, pages);
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

MemoryUse MemoryUse::operator-(const MemoryUse& other) const {
  return {heap - other.heap, resident - other.resident, objects - other.objects};
}

MemoryUse MemoryUse::Least(const MemoryUse& other) const {
  return {std::min(heap, other.heap), std::min(resident, other.resident), std::min(objects, other.objects)};
}

MemoryUse MemoryUse::Most(const MemoryUse& other) const {
  return {std::max(heap, other.heap), std::max(resident, other.resident), std::max(objects, other.objects)};
}

MemoryUse MemoryInUse() {
  const struct mallinfo2 info = mallinfo2();
  return {static_cast<int64_t>(info.uordblks + info.hblkhd), Resident(), 0};
}

void GiveFreePagesBack() { malloc_trim(0); }

}  // namespace dlpack_cts
