// worker/process/surroundings.h: detects and restores process-wide state that a library changed.
//
// After a lowered limit, a timer signal or another rounding mode, later exchanges fail as if the library refused them,
// or the harness itself fails. So the state is restored after the import, and before every case.
#ifndef DLPACK_CTS_WORKER_PROCESS_SURROUNDINGS_H_
#define DLPACK_CTS_WORKER_PROCESS_SURROUNDINGS_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace dlpack_cts::worker {

class Surroundings {
 public:
  /// Saves the state. Call it before any code of the library runs. Changes to / if the working folder does not exist.
  Surroundings();

  /// Restores limits, timers, floating point, the working folder, the umask and the signal mask. Returns the changes to
  /// report, in words that follow "the library ": "lowered the limit RLIMIT_AS". Folder, umask and signal mask are not
  /// reported.
  std::vector<std::string> Restore();

 private:
  static constexpr int kLimits = 8;

  void RestoreFolder();

  std::array<rlimit, kLimits> limits_{};
  std::string folder_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  mode_t umask_ = 0;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_SURROUNDINGS_H_
