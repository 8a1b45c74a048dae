// runner/environment/file_lock.h: a lock, so that two runs do not make or remove one environment at the same time.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_FILE_LOCK_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_FILE_LOCK_H_

#include <cstdint>
#include <string>

namespace dlpack_cts::runner {

/// Whoever makes or removes an environment holds its lock alone. Runs that look at a complete one hold it together.
enum class Hold : uint8_t { kAlone, kTogether };

/// Held until it is destroyed. The programs that make an environment inherit the lock: it is held until they end, even
/// if the run was killed.
class FileLock {
 public:
  /// Waits for the lock. Prints a message if another run has it: threads of this run wait without one. Throws Failure
  /// if interrupted, or if the file cannot be locked.
  explicit FileLock(const std::string& path, Hold hold = Hold::kAlone);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  int fd() const { return fd_; }

 private:
  /// The share of this run in the lock.
  class Here {
   public:
    Here(const std::string& path, Hold hold);
    ~Here();
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;

   private:
    std::string path_;
  };

  Here here_;
  int fd_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_FILE_LOCK_H_
