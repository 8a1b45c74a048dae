// base/memory.h: the memory of a process, as the kernel counts it.
#ifndef DLPACK_CTS_BASE_MEMORY_H_
#define DLPACK_CTS_BASE_MEMORY_H_

#include <sys/types.h>

#include <cstdint>

namespace dlpack_cts {

/// The resident size of a process in bytes; 0 if the process does not exist. Allocates nothing, so that it can measure
/// its own process (getpid()).
int64_t ResidentBytes(pid_t pid);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_MEMORY_H_
