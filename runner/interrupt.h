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

/// While it lives, a second interrupt kills that process group.
class GroupAtRisk {
 public:
  explicit GroupAtRisk(int group);
  ~GroupAtRisk();
  GroupAtRisk(const GroupAtRisk&) = delete;
  GroupAtRisk& operator=(const GroupAtRisk&) = delete;

 private:
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
