// engine/memory_use.h: how much memory the process holds.
#ifndef DLPACK_CTS_ENGINE_MEMORY_USE_H_
#define DLPACK_CTS_ENGINE_MEMORY_USE_H_

#include <cstdint>
#include <vector>

namespace dlpack_cts {

/// Memory in use at one moment, or the difference between two moments.
struct MemoryUse {
  int64_t heap = 0;      // bytes that malloc has given out, exact; 0 if another allocator replaces malloc
  int64_t resident = 0;  // bytes of the process in physical memory, in whole pages, from any allocator
  int64_t objects = 0;   // memory blocks that the runtime counts, see Runtime::LiveObjects()

  MemoryUse operator-(const MemoryUse& other) const;
  /// The smaller (Least) or larger (Most) value of each field.
  MemoryUse Least(const MemoryUse& other) const;
  MemoryUse Most(const MemoryUse& other) const;
};

/// The median of each field; of an even number, the larger one in the middle. `uses` is not empty.
MemoryUse Median(const std::vector<MemoryUse>& uses);

/// The caller sets `objects`.
MemoryUse MemoryInUse();

/// Makes malloc release its free pages, so that they do not count in `resident`. How many it keeps otherwise depends on
/// which block was freed last.
void GiveFreePagesBack();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_MEMORY_USE_H_
