// bridge/memory_watch.h: detects use of Python's memory on a thread that does not hold the GIL.
//
// A deleter that works without the GIL rarely fails, because other threads rarely interfere. So the interpreter's
// allocators are watched: only the thread that holds the GIL may call them.
#ifndef DLPACK_CTS_BRIDGE_MEMORY_WATCH_H_
#define DLPACK_CTS_BRIDGE_MEMORY_WATCH_H_

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// Puts itself in front of the allocators of objects and of the other memory that the GIL protects. False where that
/// cannot be done; both are called with the GIL held, and behind StopWatchingMemory() all is as it was before.
bool StartWatchingMemory();
void StopWatchingMemory();

/// Until this is destroyed, `used` becomes kYes where the calling thread uses that memory while it does not hold the
/// GIL. Calls of other threads are ignored.
class WatchedThread {
 public:
  explicit WatchedThread(Answer* used);
  ~WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_MEMORY_WATCH_H_
