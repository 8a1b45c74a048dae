// base/shortage.h: what happens if the system does not give dlpack-cts the memory, threads or files that it needs.
#ifndef DLPACK_CTS_BASE_SHORTAGE_H_
#define DLPACK_CTS_BASE_SHORTAGE_H_

#include <cerrno>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/failure.h"

namespace dlpack_cts {

/// "a pipe cannot be created: Too many open files". The hint says which limit to raise. It is not the fault of the
/// library, so the exit status is kUsage.
Failure Shortage(const std::string& what, int error);

/// Raises the limits on memory, files and processes as far as they can be raised without privileges.
void RaiseLimits();

/// Throws Failure if this process cannot open so many files.
void RequireFiles(int count);

/// Ends the process because dlpack-cts cannot go on. Calls the handler of SetShortageHandler(). If that returns
/// or is missing, this function prints the failure and aborts. For code that runs in an exchange, where no Failure may
/// be thrown.
[[noreturn]] void StopForShortage(const std::string& what, int error);
void SetShortageHandler(std::function<void(const Failure& failure)> handler);

/// Starts a thread, or returns nothing if the system has no more threads.
template <typename Work>
std::optional<std::thread> TryThread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

/// Starts a thread that an exchange needs.
template <typename Work>
std::thread NeedThread(Work work) {
  if (std::optional<std::thread> thread = TryThread(std::move(work))) return *std::move(thread);
  StopForShortage("a thread cannot be started", EAGAIN);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_SHORTAGE_H_
