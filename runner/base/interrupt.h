// runner/base/interrupt.h: how signals from outside end a run.
//
// SIGINT, SIGTERM and SIGHUP end a run early: every wait checks Interrupted(), the results so far are written and
// printed, and the status is 130. A second SIGINT or SIGTERM ends the program at once; the processes and folders that
// are registered here are killed and removed. (A terminal that is closed may send SIGHUP twice.)
#ifndef DLPACK_CTS_RUNNER_BASE_INTERRUPT_H_
#define DLPACK_CTS_RUNNER_BASE_INTERRUPT_H_

#include <string>

namespace dlpack_cts::runner {

bool Interrupted();

/// Installs the handlers; call once, before any thread is started. A SIGHUP that was ignored stays so (nohup).
void CatchInterrupts();

/// Make it before a process is started in its own group. A second interrupt waits until Started() or the destructor,
/// and then kills that group.
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

/// While it lives, a second interrupt removes that folder with the files "job.json" and "board".
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
