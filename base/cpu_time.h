// base/cpu_time.h: the CPU time of this process and of all processes below it.
#ifndef DLPACK_CTS_BASE_CPU_TIME_H_
#define DLPACK_CTS_BASE_CPU_TIME_H_

namespace dlpack_cts {

/// User and system time in seconds: of this process, of its descendants that run now, and of those that were waited
/// for. A descendant counts until its parent has waited for it, and from then on with its parent.
double CpuSecondsOfAll();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_CPU_TIME_H_
