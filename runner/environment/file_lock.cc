// runner/environment/file_lock.cc: waits for the lock of an environment.
#include "runner/environment/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/failure.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"

namespace dlpack_cts::runner {
namespace {

[[noreturn]] void Refuse(const std::string& path, int reason) {
  throw Failure("the lock file " + path + " cannot be locked: " + std::strerror(reason),
                "set DLPACK_CTS_CACHE to a writable folder");
}

}  // namespace

FileLock::FileLock(const std::string& path) : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (fd_ < 0) Refuse(path, errno);
  bool told = false;
  while (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    if (reason != EWOULDBLOCK && reason != EINTR) {
      close(fd_);
      Refuse(path, reason);
    }
    if (MustEnd()) {
      close(fd_);
      if (Interrupted()) throw Failure("interrupted", "", kInterrupted);
      throw Failure("the time limit of the run passed while another run made the same environment",
                    "raise --time-limit");
    }
    if (!told) Tell("dlpack-cts: waiting for another run that makes the same environment\n");
    told = true;
    usleep(100'000);
  }
}

FileLock::~FileLock() { close(fd_); }

}  // namespace dlpack_cts::runner
