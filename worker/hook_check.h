// worker/hook_check.h: tells mistakes of an adapter's hooks and of its describe() from the library's.
//
// What is asked here is asked of an array that the library itself has just made, and whose values() are right: DLPack
// has no part in a computation that gives other elements, nor in a write that nobody sees.
#ifndef DLPACK_CTS_WORKER_HOOK_CHECK_H_
#define DLPACK_CTS_WORKER_HOOK_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "adapters/interface/subject.h"
#include "harness/case/profile.h"

namespace dlpack_cts::worker {

/// An array that was made as `request` says, with what describe() and values() gave of it. `plainest`: nothing about it
/// may be missing in a library; a hook that raises, or that describe() cannot follow, is told only there.
struct MadeArray {
  Handle array;
  const Request& request;
  const Description& described;
  const std::vector<uint8_t>& values;
  bool plainest;
};

/// Says something that can be compared, and lies on the host.
bool Comparable(const Description& described);

/// Without keywords, or with max_version where nothing is exported otherwise.
Call PlainExportCall(const Profile& profile);

/// Compares each hook that is claimed with values() and describe(). One sentence, or "". Writes into the array.
std::string CheckHooks(Subject& subject, const Profile& profile, const MadeArray& made);

/// Compares the described device with what __dlpack_device__ and the exported struct say, where it is not the one that
/// was asked for. Those two have to agree: else one of them is the library's fault.
std::string CheckDevice(Subject& subject, const Profile& profile, const MadeArray& made);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_HOOK_CHECK_H_
