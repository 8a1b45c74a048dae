// engine/memory_use.h: how much memory the process holds.
#ifndef DLPACK_CTS_ENGINE_MEMORY_USE_H_
#define DLPACK_CTS_ENGINE_MEMORY_USE_H_

#include <cstdint>

namespace dlpack_cts {

/// What is held at one moment, or what came to it between two.
struct MemoryUse {
  int64_t heap = 0;      // bytes that malloc gave out, exact; 0 where another allocator stands in for the C library's
  int64_t resident = 0;  // bytes of the process in memory, in whole pages, from whatever allocator
  int64_t objects = 0;   // blocks that the subject's language counts, see Subject::LiveObjects()

  MemoryUse operator-(const MemoryUse& other) const;
  /// The smaller one, and the larger one, of each.
  MemoryUse Least(const MemoryUse& other) const;
  MemoryUse Most(const MemoryUse& other) const;
};

/// `objects` is left to the caller.
MemoryUse MemoryInUse();

/// Makes malloc release its free pages. How many it keeps depends on which block was freed last. Afterwards they do not
/// count in `resident`.
void GiveFreePagesBack();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_MEMORY_USE_H_
