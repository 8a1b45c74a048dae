// adapters/python/memory_watch.h: sees who uses Python's memory on a thread that does not hold the GIL.
//
// What a deleter does without the GIL goes well nearly always: an object dies, and nobody was in its way. So its end is
// watched where it shows: in the interpreter's allocators, which may be called by the GIL's holder alone.
#ifndef DLPACK_CTS_ADAPTERS_PYTHON_MEMORY_WATCH_H_
#define DLPACK_CTS_ADAPTERS_PYTHON_MEMORY_WATCH_H_

#include "harness/ledger/ledger.h"

namespace dlpack_cts {

/// Puts itself in front of the allocators of objects and of the other memory that the GIL protects. False where that
/// cannot be done; both are called with the GIL held, and behind StopWatchingMemory() all is as it was before.
bool StartWatchingMemory();
void StopWatchingMemory();

/// Until this is destroyed, `used` becomes kYes where the calling thread uses that memory while it does not hold the
/// GIL. Calls of other threads are none of its business.
class WatchedThread {
 public:
  explicit WatchedThread(Answer* used);
  ~WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_PYTHON_MEMORY_WATCH_H_
