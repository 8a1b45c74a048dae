// worker/process/output.cc: writes the worker's lines, and waits for the driver's signal.
#include "worker/process/output.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "results/text.h"

namespace dlpack_cts::worker {

Output::Output(int fd, std::string mark) : fd_(fd), mark_(std::move(mark)) {
  struct stat seen{};
  if (fstat(fd_, &seen) != 0) return;
  device_ = seen.st_dev;
  inode_ = seen.st_ino;
}

bool Output::IsOurs() const {
  struct stat seen{};
  return fstat(fd_, &seen) == 0 && seen.st_dev == device_ && seen.st_ino == inode_;
}

void Output::AwaitReady(short events) const {
  pollfd waiting{fd_, events, 0};
  poll(&waiting, 1, -1);
}

bool Output::Write(const nlohmann::json& line) const {
  if (!IsOurs()) return false;
  // A text of a library may be invalid UTF-8, or very long. The line must arrive. Its first newline ends an unfinished
  // line of the library.
  const std::string text = "\n" + mark_ + DumpLine(line) + "\n";
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      AwaitReady(POLLOUT);
      continue;
    }
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool Output::Write(const char* type, const Observation& observation) const {
  nlohmann::json line = ToJson(observation);
  line["type"] = type;
  return Write(line);
}

bool Output::AwaitWord() const {
  if (!IsOurs()) return false;
  char word = 0;
  for (;;) {
    const ssize_t n = read(fd_, &word, 1);
    if (n < 0 && errno == EAGAIN) {
      AwaitReady(POLLIN);
    } else if (n >= 0 || errno != EINTR) {
      return n == 1;
    }
  }
}

void Output::Close() const {
  if (IsOurs()) close(fd_);
}

int Output::Report(const Failure& failure) const {
  Write(nlohmann::json{
      {"type", "error"}, {"message", failure.what()}, {"hint", failure.hint()}, {"detail", failure.detail()}});
  return failure.status();
}

}  // namespace dlpack_cts::worker
