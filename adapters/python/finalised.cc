// adapters/python/finalised.cc: what runs after the interpreter was finalised, in a copy of the process that may die.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "adapters/python/subject.h"

namespace dlpack_cts {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);

/// How far the copy came; in memory that both processes have.
enum class Stage : uint8_t { kAlive, kFinalised, kCameBack };

/// A death of the copy is a signal again, and none of the harness's handlers writes where its parent reads.
void ForgetHandlers() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP}) {
    (void)std::signal(signal, SIG_DFL);
  }
}

/// Whether the copy ended by itself in time; one that did not is killed.
bool AwaitEnd(pid_t copy) {
  const auto latest = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  while (waitpid(copy, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > latest) {
      kill(copy, SIGKILL);
      waitpid(copy, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace

Answer PythonSubject::AfterFinalisation(const std::function<void()>& work) {
  // An interpreter that does not end once does not end the next time.
  if (!config_.fork || endless_) return Answer::kUnknown;
  void* const shared =
      mmap(nullptr, sizeof(std::atomic<Stage>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return Answer::kUnknown;
  auto* const stage = new (shared) std::atomic<Stage>(Stage::kAlive);
  BeforeFork();
  const pid_t copy = fork();
  if (copy == 0) {
    AfterForkInChild();
    ForgetHandlers();
    Py_FinalizeEx();
    *stage = Stage::kFinalised;
    work();
    *stage = Stage::kCameBack;
    _exit(0);
  }
  AfterForkInParent();
  const bool ended = copy > 0 && AwaitEnd(copy);
  const Stage reached = *stage;
  munmap(shared, sizeof(std::atomic<Stage>));
  endless_ = copy > 0 && !ended && reached == Stage::kAlive;
  if (reached == Stage::kCameBack) return Answer::kYes;
  return ended && reached == Stage::kFinalised ? Answer::kNo : Answer::kUnknown;
}

}  // namespace dlpack_cts
