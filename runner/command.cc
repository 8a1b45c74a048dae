// runner/command.cc: runs another program and waits for it.
#include "runner/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "runner/failure.h"
#include "runner/interrupt.h"

extern char** environ;

namespace dlpack_cts::runner {
namespace {

constexpr size_t kMostOutput = size_t{64} << 20;

int Reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Reads until the end of the pipe. False: interrupted.
bool ReadAll(int fd, bool interruptible, std::string* output) {
  char buffer[4096];
  for (;;) {
    if (interruptible && Interrupted()) return false;
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, 100) <= 0) continue;
    const ssize_t n = read(fd, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    output->append(buffer, std::min(static_cast<size_t>(n), kMostOutput - output->size()));
  }
}

}  // namespace

Finished RunCommand(const std::vector<std::string>& argv, const CommandOptions& options) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Failure(std::string("a pipe cannot be created: ") + std::strerror(errno), "close other programs", kHarness);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (options.errors) {
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // The same number twice: it stays open in this child, and in no other one.
  if (options.inherited >= 0) posix_spawn_file_actions_adddup2(&actions, options.inherited, options.inherited);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  GroupAtRisk at_risk;
  const int failed = posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  Finished finished;
  if (failed != 0) {
    close(ends[0]);
    finished.status = 127;
    finished.output = std::strerror(failed);
    return finished;
  }
  at_risk.Started(pid);
  const bool whole = ReadAll(ends[0], options.interruptible, &finished.output);
  close(ends[0]);
  if (!whole) kill(-pid, SIGKILL);
  const int status = Reap(pid);
  if (!whole) throw Failure("interrupted", "", kInterrupted);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

}  // namespace dlpack_cts::runner
