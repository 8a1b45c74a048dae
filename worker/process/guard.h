// worker/process/guard.h: the parent of the fork server, which ends whatever the library started.
#ifndef DLPACK_CTS_WORKER_PROCESS_GUARD_H_
#define DLPACK_CTS_WORKER_PROCESS_GUARD_H_

namespace dlpack_cts::worker {

/// Returns in a child, in a process group of its own. This process waits for it, then kills all processes that are left
/// of it, and ends in the same way. SIGTERM, or the end of the driver, kills the child. Call it before any thread is
/// started.
void StartGuard();

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_GUARD_H_
