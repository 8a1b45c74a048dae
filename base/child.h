// base/child.h: child processes: start a program, wait with or without a limit, how a child ended.
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

  /// The value of $? in a shell: 128 is added to a signal.
  int ShellStatus() const { return how == How::kExited ? code : 128 + code; }

  bool operator==(const ChildEnd&) const = default;
};

/// Waits for a child of this process. A process that is not a child counts as exited with status 0. So does a child
/// that the kernel has reaped because this process ignores SIGCHLD.
ChildEnd WaitFor(pid_t child);

/// How the child ended, or nothing while it runs. Does not wait. Call it only until it returns an end. A process that
/// is not a child counts as in WaitFor().
std::optional<ChildEnd> EndOf(pid_t child);

/// Waits for at most this many seconds. Kills a child that still runs then, and returns nothing.
std::optional<ChildEnd> WaitFor(pid_t child, double seconds);

/// The texts as execv() needs them, with NULL at the end. The pointers are valid as long as the texts.
std::vector<char*> Pointers(const std::vector<std::string>& texts);

/// A program to start. It gets its own process group, so that it can be killed with everything that it starts, and
/// /dev/null as its standard input.
struct Program {
  std::vector<std::string> arguments;                 // the first is the program: a path, or a name to search in PATH
  std::vector<std::pair<int, int>> descriptors = {};  // descriptors of this process, and their numbers in the program
  std::optional<std::vector<std::string>> environment =
      std::nullopt;  // NAME=value; empty: the environment of this process
};

/// What Start() returns: a process, or an errno.
struct Started {
  pid_t pid = 0;
  int error = 0;
};

/// Starts the program. Other descriptors are closed in it if they are O_CLOEXEC.
Started Start(const Program& program);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_CHILD_H_
