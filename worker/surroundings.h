// worker/surroundings.h: what a library may change of the process around it, and how it is put back.
//
// A lowered limit, a timer that goes off or another rounding of numbers makes every later exchange fail in a way that
// looks like a polite refusal, or our own code. So they are put back after the import and before every case.
#ifndef DLPACK_CTS_WORKER_SURROUNDINGS_H_
#define DLPACK_CTS_WORKER_SURROUNDINGS_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace dlpack_cts::worker {

class Surroundings {
 public:
  /// Remembers how things are. Call before anything of the library runs. Moves to / where the working folder is gone.
  Surroundings();

  /// Puts everything back: limits, timers, floating point, the working folder, the signal mask. Returns what a library
  /// has to answer for, in words that follow "the library ": "lowered the limit RLIMIT_AS". The working folder, the
  /// umask and the mask are put back in silence.
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

#endif  // DLPACK_CTS_WORKER_SURROUNDINGS_H_
