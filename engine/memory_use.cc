// engine/memory_use.cc: how much memory the process holds.
#include "engine/memory_use.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>

#include "base/memory.h"

namespace dlpack_cts {
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
  return {static_cast<int64_t>(info.uordblks + info.hblkhd), ResidentBytes(getpid()), 0};
}

void GiveFreePagesBack() { malloc_trim(0); }

}  // namespace dlpack_cts
