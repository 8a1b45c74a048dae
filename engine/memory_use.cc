// engine/memory_use.cc: how much memory the process holds.
#include "engine/memory_use.h"

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>

#include "base/memory.h"

namespace dlpack_cts {
namespace {

template <typename Info>
using Statistics = Info (*)();

template <typename Info>
Statistics<Info> Find(const char* name) {
  return reinterpret_cast<Statistics<Info>>(dlsym(RTLD_DEFAULT, name));
}

/// Bytes that malloc has given out. glibc before 2.33 has only mallinfo, which counts modulo 4 GiB.
int64_t HeapInUse() {
  static const auto newer = Find<struct mallinfo2>("mallinfo2");
  if (newer != nullptr) {
    const struct mallinfo2 info = newer();
    return static_cast<int64_t>(info.uordblks + info.hblkhd);
  }
  static const auto older = Find<struct mallinfo>("mallinfo");
  if (older == nullptr) return 0;
  const struct mallinfo info = older();
  return int64_t{static_cast<uint32_t>(info.uordblks)} + int64_t{static_cast<uint32_t>(info.hblkhd)};
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

MemoryUse Median(const std::vector<MemoryUse>& uses) {
  const auto of = [&uses](int64_t MemoryUse::* field) {
    std::vector<int64_t> values;
    for (const MemoryUse& use : uses) values.push_back(use.*field);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  return {of(&MemoryUse::heap), of(&MemoryUse::resident), of(&MemoryUse::objects)};
}

MemoryUse MemoryInUse() { return {HeapInUse(), ResidentBytes(getpid()), 0}; }

void GiveFreePagesBack() { malloc_trim(0); }

}  // namespace dlpack_cts
