// runner/interrupt.h: what signals from outside do to a run.
//
// SIGINT, SIGTERM and SIGHUP end a run early: whoever waits looks at Interrupted(), what was seen so far is written and
// printed, and the status is 130. A second SIGINT or SIGTERM ends the program at once; what it would leave behind is
// registered here and goes with it. (A terminal that goes away may send SIGHUP twice.)
#ifndef DLPACK_CTS_RUNNER_INTERRUPT_H_
#define DLPACK_CTS_RUNNER_INTERRUPT_H_

#include <string>

namespace dlpack_cts::runner {

bool Interrupted();

/// Installs the handlers; call once, before any thread is started. A SIGHUP that was ignored stays so (nohup).
void CatchInterrupts();

/// Make it before a process is started in a group of its own: a second interrupt waits until Started() or the end of
/// its life, and kills that group from then on.
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

#endif  // DLPACK_CTS_RUNNER_INTERRUPT_H_
