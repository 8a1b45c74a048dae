// results/roomy_stack.h: runs a program on a stack of 8 MB, even if `ulimit -s` is lower.
#ifndef DLPACK_CTS_RESULTS_ROOMY_STACK_H_
#define DLPACK_CTS_RESULTS_ROOMY_STACK_H_

#include <pthread.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdio>

#include "base/shortage.h"

namespace dlpack_cts {

/// Calls `program` here if the stack may grow to 8 MB, else in a thread with such a stack. Later threads have it too.
/// The soft limit is raised first, as far as the hard limit allows.
template <typename Program>
int OnRoomyStack(Program program) {
  constexpr rlim_t kRoom = 8 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kRoom) return program();
  limit.rlim_cur = limit.rlim_max < kRoom ? limit.rlim_max : kRoom;
  setrlimit(RLIMIT_STACK, &limit);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kRoom);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  if (limit.rlim_cur >= kRoom) return program();
  int status = kUsage;
  if (auto thread = TryThread([&] { status = program(); })) {
    thread->join();
  } else {
    std::fputs(Printed(Shortage("a thread cannot be started", EAGAIN)).c_str(), stderr);
  }
  return status;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_ROOMY_STACK_H_
