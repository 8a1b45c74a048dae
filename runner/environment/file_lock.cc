// runner/environment/file_lock.cc: waits for the lock of an environment.
#include "runner/environment/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "base/failure.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kAlone = -1;

std::mutex holders_mutex;

/// The locks that threads of this run hold: kAlone, or how many of them hold it together.
std::map<std::string, int>& Holders() {
  static std::map<std::string, int> holders;
  return holders;
}

bool TryTake(const std::string& path, Hold hold) {
  const std::lock_guard<std::mutex> guard(holders_mutex);
  int& holders = Holders()[path];
  if (hold == Hold::kTogether ? holders == kAlone : holders != 0) return false;
  holders += hold == Hold::kTogether ? 1 : kAlone;
  return true;
}

/// Throws if the run must not wait any longer.
void Wait() {
  if (Interrupted()) throw Failure("interrupted", "", kInterrupted);
  if (MustEnd()) {
    throw Failure("the time limit of the run passed while another run made the same environment", "raise --time-limit");
  }
  usleep(100'000);
}

[[noreturn]] void Refuse(const std::string& path, int reason) {
  throw Failure("the lock file " + path + " cannot be locked: " + std::strerror(reason),
                "set DLPACK_CTS_CACHE to a writable folder");
}

}  // namespace

FileLock::Here::Here(const std::string& path, Hold hold) : path_(path) {
  while (!TryTake(path, hold)) Wait();
}

FileLock::Here::~Here() {
  const std::lock_guard<std::mutex> guard(holders_mutex);
  int& holders = Holders()[path_];
  holders = holders == kAlone ? 0 : holders - 1;
}

FileLock::FileLock(const std::string& path, Hold hold)
    : here_(path, hold), fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (fd_ < 0) Refuse(path, errno);
  bool told = false;
  while (flock(fd_, (hold == Hold::kAlone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    const int reason = errno;
    const std::optional<Failure> failure = FailureOf([&] {
      if (reason != EWOULDBLOCK && reason != EINTR) Refuse(path, reason);
      if (!told) Tell("dlpack-cts: waiting for another run that makes the same environment\n");
      told = true;
      Wait();
    });
    if (!failure) continue;
    close(fd_);
    throw Failure(*failure);
  }
}

FileLock::~FileLock() { close(fd_); }

}  // namespace dlpack_cts::runner
