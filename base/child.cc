// base/child.cc: starts child processes with posix_spawn(), and waits for them with waitpid().
#include "base/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/clock.h"

extern char** environ;

namespace dlpack_cts {
namespace {

constexpr useconds_t kLookMicroseconds = 200;

ChildEnd EndOfStatus(int status) {
  if (WIFSIGNALED(status)) return {ChildEnd::How::kSignalled, WTERMSIG(status)};
  return {ChildEnd::How::kExited, WEXITSTATUS(status)};
}

}  // namespace

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

ChildEnd WaitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return EndOfStatus(status);
}

std::optional<ChildEnd> EndOf(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, WNOHANG) == 0) return std::nullopt;
  return EndOfStatus(status);
}

std::optional<ChildEnd> WaitFor(pid_t child, double seconds) {
  const double latest = Now() + seconds;
  std::optional<ChildEnd> end;
  while (!(end = EndOf(child)) && Now() < latest) usleep(kLookMicroseconds);
  if (!end) {
    kill(child, SIGKILL);
    WaitFor(child);
  }
  return end;
}

Started Start(const Program& program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // If both numbers are equal, the descriptor stays open in this child only.
  for (const auto& [ours, theirs] : program.descriptors) posix_spawn_file_actions_adddup2(&actions, ours, theirs);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> variables;
  if (program.environment) variables = Pointers(*program.environment);
  Started started;
  started.error = posix_spawnp(&started.pid, program.arguments[0].c_str(), &actions, &attributes,
                               Pointers(program.arguments).data(), program.environment ? variables.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return started;
}

}  // namespace dlpack_cts
