// worker/resources.cc: compares limits with fixed needs, and tries descriptors, threads and a fork.
#include "worker/resources.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "base/child.h"
#include "base/failure.h"
#include "base/shortage.h"
#include "harness/forge/arena.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {
namespace {

// The reservation of one forge.
constexpr uint64_t kForge = kSlots * (forge::kFarBytes + forge::kLargeBytes + (uint64_t{1} << 20));
// Of the library, the reference and a probe, and of each half of a pair.
constexpr uint64_t kForges = 3;
constexpr uint64_t kForgesOfPair = 5;
constexpr uint64_t kProgram = uint64_t{4} << 30;  // interpreter, library and stacks of threads
// Library and reference each have elements and a copy for every slot, and four times as much to compare them.
constexpr uint64_t kWritable = 2 * (2 * kSlots + 4) * uint64_t{kLargeCapacity} + (uint64_t{1} << 29);

constexpr int kFiles = 32;
constexpr int kThreads = kLanes + 2;

void RequireLimit(__rlimit_resource which, const std::string& what, char option, uint64_t least) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur >= least) return;
  throw Failure(fmt::format("the limit on {} is {} MB, and dlpack-cts needs {} MB", what, limit.rlim_cur >> 20,
                            (least >> 20) + 1),
                fmt::format("raise it, for example with ulimit -{} {}", option, (least >> 10) + 1));
}

/// Exits with 0 if there are enough threads and a process. The threads end with it.
[[noreturn]] void Try() {
  for (int i = 0; i < kThreads; ++i) {
    std::optional<std::thread> thread = TryThread([] { pause(); });
    if (!thread) _exit(1);
    thread->detach();
  }
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) _exit(1);
  WaitFor(child);
  _exit(0);
}

}  // namespace

void RequireResources(bool pair) {
  RequireLimit(RLIMIT_AS, "the address space", 'v', kProgram + kForge * (pair ? kForgesOfPair : kForges));
  RequireLimit(RLIMIT_DATA, "writable memory", 'd', kWritable);
  RequireFiles(kFiles);
  // In a child, because a process that had threads should not fork.
  const pid_t child = fork();
  if (child < 0) throw Shortage("the worker cannot fork", errno);
  if (child == 0) Try();
  if (WaitFor(child).code != 0)
    throw Shortage(fmt::format("dlpack-cts cannot start {} threads and a process", kThreads), EAGAIN);
}

}  // namespace dlpack_cts::worker
