// worker/output.cc: writes the worker's lines.
#include "worker/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "results/text.h"

namespace dlpack_cts {

Output::Output(int fd) : fd_(fd) {
  struct stat seen{};
  if (fstat(fd_, &seen) != 0) return;
  device_ = seen.st_dev;
  inode_ = seen.st_ino;
}

bool Output::IsOurs() const {
  struct stat seen{};
  return fstat(fd_, &seen) == 0 && seen.st_dev == device_ && seen.st_ino == inode_;
}

bool Output::Write(const nlohmann::json& line) const {
  if (!IsOurs()) return false;
  // A library's text may be no UTF-8, or very long: the line is never lost.
  const std::string text = DumpLine(line) + "\n";
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool Output::Write(const Observation& observation) const { return Write(ToJson(observation)); }

void Output::EndLine() const { [[maybe_unused]] const ssize_t ignored = write(fd_, "\n", 1); }

void Output::Error(const std::string& message, const std::string& hint, const std::string& detail) const {
  Write(nlohmann::json{{"type", "error"}, {"message", message}, {"hint", hint}, {"detail", detail}});
}

}  // namespace dlpack_cts
