// worker/process/lost_threads.h: the threads that a child of this process does not have.
#ifndef DLPACK_CTS_WORKER_PROCESS_LOST_THREADS_H_
#define DLPACK_CTS_WORKER_PROCESS_LOST_THREADS_H_

#include <string>

namespace dlpack_cts::worker {

/// The threads of this process beside the calling one, with the names that the library gave them: "3 threads
/// (pool-1, pool-2)". Empty without such threads.
std::string OtherThreads();

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_LOST_THREADS_H_
