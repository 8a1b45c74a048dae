// runner/print.cc: writes the standard streams and looks at what became of it.
#include "runner/print.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <mutex>

#include "reports/text.h"
#include "runner/interrupt.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kLookMs = 100;
constexpr int kPatience = 10;  // looks at a reader that takes nothing, after an interrupt

/// 0, or the errno of a write that failed. A pipe that has room takes PIPE_BUF without blocking.
int WriteAll(int fd, const std::string& text) {
  static std::mutex one_at_a_time;
  static int stalled = 0;  // looks since somebody read, after an interrupt
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  for (size_t done = 0; done < text.size();) {
    pollfd reader{fd, POLLOUT, 0};
    if (poll(&reader, 1, kLookMs) <= 0) {
      if (Interrupted() && ++stalled > kPatience) return 0;
      continue;
    }
    const ssize_t n = write(fd, text.data() + done, std::min<size_t>(text.size() - done, PIPE_BUF));
    if (n >= 0) {
      done += static_cast<size_t>(n);
      stalled = 0;
    } else if (errno != EINTR && errno != EAGAIN) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

std::optional<Failure> Print(const std::string& text) {
  const int reason = WriteAll(STDOUT_FILENO, text);
  // Nobody reads: closed by the reader, or from the start; or the terminal is gone, and SIGHUP tells.
  if (reason == 0 || reason == EPIPE || reason == EBADF || (reason == EIO && Interrupted())) return {};
  return Failure(std::string("standard output cannot be written: ") + std::strerror(reason),
                 "free some space, or send the output elsewhere");
}

void Tell(const std::string& text) { WriteAll(STDERR_FILENO, text); }

std::string TextOf(const Failure& failure) {
  constexpr size_t kSentence = 4096;  // a path may be that long
  const std::string& hint = failure.hint();
  const size_t end = std::min(hint.find('\n'), hint.size());
  std::string text = "dlpack-cts: " + OneLine(failure.what(), kSentence) + "\n";
  if (!hint.empty()) text += "  hint: " + OneLine(hint.substr(0, end), kSentence) + "\n";
  return text + QuotedLines(std::string_view(hint).substr(std::min(end + 1, hint.size())));
}

int Report(const Failure& failure) {
  Tell(TextOf(failure));
  return failure.status();
}

}  // namespace dlpack_cts::runner
