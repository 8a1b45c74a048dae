// worker/process/foreign_copy.h: detects that the library has forked, and that this process is the child.
//
// If such a child returned from the library, it would run the cases a second time.
#ifndef DLPACK_CTS_WORKER_PROCESS_FOREIGN_COPY_H_
#define DLPACK_CTS_WORKER_PROCESS_FOREIGN_COPY_H_

#include "worker/process/crash_record.h"

namespace dlpack_cts::worker {

/// From now on a forked process that was not announced gets its own, empty crash record.
void WatchForks(CrashRecord& crash_record);
/// Call with true before, and with false after, every fork of the harness.
void AnnounceFork(bool announced);
/// Ends the process if it is a forked one that was not announced.
void LeaveIfForeignCopy();

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_FOREIGN_COPY_H_
