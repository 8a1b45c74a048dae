// base/child.h: child processes: starting a program, waiting with or without a limit, and how a child ended.
#ifndef DLPACK_CTS_BASE_CHILD_H_
#define DLPACK_CTS_BASE_CHILD_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlpack_cts {

/// How a child ended.
struct ChildEnd {
  enum class How : uint8_t { kExited, kSignalled };
  How how = How::kExited;
  int code = 0;  // the exit status, or the signal

  bool Succeeded() const { return how == How::kExited && code == 0; }
  /// As a shell has it in $?: a signal is 128 more.
  int ShellStatus() const { return how == How::kExited ? code : 128 + code; }

  bool operator==(const ChildEnd&) const = default;
};

/// Waits for a child of this process. A process that is not its child counts as exited with status 0: so does a child
/// that the kernel has reaped, because this process ignores SIGCHLD.
ChildEnd WaitFor(pid_t child);

/// How the child ended, or nothing while it runs. Does not wait. Once it has returned an end, the child is gone. What
/// is not a child counts as in WaitFor().
std::optional<ChildEnd> EndOf(pid_t child);

/// Waits for at most this many seconds. A child that still runs then is killed, and nothing is returned.
std::optional<ChildEnd> WaitFor(pid_t child, double seconds);

/// The texts as execv() takes them, with NULL at the end. Valid as long as the texts are.
std::vector<char*> Pointers(const std::vector<std::string>& texts);

/// A program to start. It gets a process group of its own, so that it can be killed with all that it starts, and
/// /dev/null as its standard input.
struct Program {
  std::vector<std::string> arguments;                 // the first is the program: a path, or a name to look for in PATH
  std::vector<std::pair<int, int>> descriptors = {};  // ours, and the number that it has in the program
  std::optional<std::vector<std::string>> environment = std::nullopt;  // NAME=value; empty: that of this process
};

/// What Start() returns: a process, or an errno.
struct Started {
  pid_t pid = 0;
  int error = 0;
};

/// Starts the program. Descriptors that are not listed are closed in it if they are O_CLOEXEC.
Started Start(const Program& program);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_CHILD_H_
