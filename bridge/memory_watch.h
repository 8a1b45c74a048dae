// bridge/memory_watch.h: detects use of Python's memory on a thread that does not hold the GIL.
//
// A deleter that works without the GIL rarely fails, because other threads rarely interfere. So the interpreter's
// allocators are wrapped, to check that only the thread that holds the GIL calls them.
#ifndef DLPACK_CTS_BRIDGE_MEMORY_WATCH_H_
#define DLPACK_CTS_BRIDGE_MEMORY_WATCH_H_

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// Wraps the allocators that the GIL guards. False if that is impossible. Call this and StopWatchingMemory(), which
/// restores the allocators, with the GIL held.
bool StartWatchingMemory();
void StopWatchingMemory();

/// While it exists, `used` becomes kYes if the calling thread uses that memory without holding the GIL. Calls of other
/// threads are ignored.
class WatchedThread {
 public:
  explicit WatchedThread(Answer* used);
  ~WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_MEMORY_WATCH_H_
