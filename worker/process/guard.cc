// worker/process/guard.cc: waits for the fork server or for SIGTERM, then kills what is left.
#include "worker/process/guard.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/descendants.h"

namespace dlpack_cts::worker {
namespace {

/// Waits for the end of the child. Returns its wait status.
int Watch(pid_t child, const sigset_t& signals) {
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    int number = 0;
    if (sigwait(&signals, &number) == 0 && number == SIGTERM) kill(child, SIGKILL);
  }
  return status;
}

[[noreturn]] void EndAs(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int number = WTERMSIG(status);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    std::signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    raise(number);
  }
  _exit(WEXITSTATUS(status));
}

}  // namespace

void StartGuard() {
  AdoptDescendants();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The driver gets these too, if the whole session or container gets them, and decides. Python would raise
  // KeyboardInterrupt in the library.
  for (const int number : {SIGINT, SIGHUP, SIGQUIT}) std::signal(number, SIG_IGN);
  sigset_t signals;
  sigset_t usual;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, &usual);
  const auto on_end = std::signal(SIGCHLD, SIG_DFL);  // if it were ignored, the status would be lost
  const pid_t guard = getpid();
  const pid_t child = fork();
  if (child > 0) {
    const int status = Watch(child, signals);
    EndChildren({});
    EndAs(status);
  }
  // Without a further process there is no guard.
  if (child == 0) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (child == 0 && getppid() != guard) _exit(0);
  AdoptDescendants();
  std::signal(SIGCHLD, on_end);
  sigprocmask(SIG_SETMASK, &usual, nullptr);
}

}  // namespace dlpack_cts::worker
