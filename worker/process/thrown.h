// worker/process/thrown.h: describes an uncaught C++ exception.
#ifndef DLPACK_CTS_WORKER_PROCESS_THROWN_H_
#define DLPACK_CTS_WORKER_PROCESS_THROWN_H_

#include <string>

#include "worker/process/crash_record.h"

namespace dlpack_cts::worker {

/// From now on std::terminate writes the exception to CrashRecord::thrown, then aborts. Call it again after code of the
/// library ran, because that may have set another handler.
void NoteThrown(CrashRecord& crash_record);

/// The current exception: "std::runtime_error: no such device". kNoException if this C++ runtime has none.
std::string DescribeThrown();
inline constexpr char kNoException[] = "std::terminate was called";

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_THROWN_H_
