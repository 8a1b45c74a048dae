// runner/environment/file_lock.h: a lock, so that two runs do not make or remove one environment at the same time.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_FILE_LOCK_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_FILE_LOCK_H_

#include <string>

namespace dlpack_cts::runner {

/// Held until it is destroyed. The programs that make an environment inherit the lock: it is held until they end, even
/// if the run was killed.
class FileLock {
 public:
  /// Waits for the lock and prints a message. Throws Failure if interrupted, or if the file cannot be locked.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_FILE_LOCK_H_
