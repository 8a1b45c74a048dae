// runner/base/interrupt.h: how signals from outside end a run.
//
// SIGINT, SIGTERM, SIGQUIT and SIGHUP end a run early: every wait checks Interrupted(), the results so far are written
// and printed, and the exit status is 130. One that comes more than half a second later, except SIGHUP, ends the
// program at once: the registered processes are killed, and the registered folders removed. Signals within half a
// second count as one: `timeout` sends two. (A terminal that is closed may send SIGHUP twice.)
#ifndef DLPACK_CTS_RUNNER_BASE_INTERRUPT_H_
#define DLPACK_CTS_RUNNER_BASE_INTERRUPT_H_

#include <string>

namespace dlpack_cts::runner {

/// The time limit of the whole run, from now on.
void EndAfter(double seconds);
bool IsOutOfTime();
/// Seconds until the time limit of the run; 0 without one. Not 0 if they have passed.
double SecondsLeft();
/// Whether the run must end early: interrupted, or out of time.
bool MustEnd();

bool Interrupted();

/// Whether the run is interrupted now or within a moment. A signal to a whole container reaches the driver and its
/// workers in any order.
bool IsAboutToBeInterrupted();

/// Installs the handlers. Call it once, before any thread is started. A SIGHUP that was ignored stays ignored (nohup).
void CatchInterrupts();

/// Make it before a process is started in its own group. A second interrupt waits until Started() or the destructor,
/// then sends SIGTERM to that group.
class GroupAtRisk {
 public:
  GroupAtRisk();
  ~GroupAtRisk();
  void Started(int group);
  GroupAtRisk(const GroupAtRisk&) = delete;
  GroupAtRisk& operator=(const GroupAtRisk&) = delete;

 private:
  bool starting_ = true;
  int slot_;
};

/// While it exists, a second interrupt removes that folder with the files "job.json" and "board".
class FolderAtRisk {
 public:
  explicit FolderAtRisk(const std::string& path);
  ~FolderAtRisk();
  FolderAtRisk(const FolderAtRisk&) = delete;
  FolderAtRisk& operator=(const FolderAtRisk&) = delete;

 private:
  int slot_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_INTERRUPT_H_
