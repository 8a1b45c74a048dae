// worker/probe/hook_check.h: separates errors in an adapter's hooks and describe() from errors of the library.
//
// The checks use an array that the library has just made, and whose values() are right. If a computation gives other
// elements, or a write has no effect, DLPack is not the reason.
#ifndef DLPACK_CTS_WORKER_PROBE_HOOK_CHECK_H_
#define DLPACK_CTS_WORKER_PROBE_HOOK_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/case/profile.h"
#include "subject/subject.h"

namespace dlpack_cts::worker {

/// An array that was made as `request` says, with the results of describe() and values(). The flag marks the default
/// array, which every library must support: only for that one a hook must not raise, and describe() must work.
struct MadeArray {
  Handle array;
  const Request& request;
  const Description& described;
  const std::vector<uint8_t>& values;
  bool plainest;
};

/// Whether the description can be compared, and the memory is on the host.
bool Comparable(const Description& described);

/// Without keywords, or with max_version if the library exports nothing otherwise.
Call PlainExportCall(const Profile& profile);

/// Compares each claimed hook with values() and describe(). Returns an error message, or "". Writes into the array.
std::string CheckHooks(Subject& subject, const Profile& profile, const MadeArray& made);

/// If describe() returns another device than requested, compares it with __dlpack_device__ and the exported struct. If
/// these two disagree, the error is in the library.
std::string CheckDevice(Subject& subject, const Profile& profile, const MadeArray& made);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_HOOK_CHECK_H_
