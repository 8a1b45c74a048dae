// worker/foreign_copy.h: notices that the library forked, and that this process is the copy.
//
// A copy that comes back from the library would run the cases once more beside the original.
#ifndef DLPACK_CTS_WORKER_FOREIGN_COPY_H_
#define DLPACK_CTS_WORKER_FOREIGN_COPY_H_

#include "worker/board.h"

namespace dlpack_cts::worker {

/// From now on a copy that was not announced gets an empty board of its own.
void WatchForks(Board& board);
/// Call with true before, and with false after every fork of our own.
void AnnounceFork(bool announced);
/// True in a copy that nobody announced: it has to leave.
bool IsForeignCopy();

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_FOREIGN_COPY_H_
