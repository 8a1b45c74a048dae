// runner/base/print.cc: writes to the standard streams and checks for errors.
#include "runner/base/print.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/failure.h"
#include "reports/text.h"
#include "runner/base/interrupt.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kLookMs = 100;
constexpr int kPatience = 10;  // how often to check a reader that reads nothing, after an interrupt

std::mutex g_one_at_a_time;
size_t g_shown = 0;  // columns of the status line on the terminal

/// 0, or the errno of a failed write. A pipe with room accepts PIPE_BUF bytes without blocking. Call it with the lock
/// held.
int WriteAll(int fd, const std::string& text) {
  static int stalled = 0;  // checks since the reader has read something, after an interrupt
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

/// Writes the text after it has erased a status line on the terminal.
int WriteBesideStatus(int fd, const std::string& text) {
  const std::lock_guard<std::mutex> lock(g_one_at_a_time);
  if (g_shown > 0 && !text.empty()) WriteAll(STDERR_FILENO, "\r" + std::string(std::exchange(g_shown, 0), ' ') + "\r");
  return WriteAll(fd, text);
}

}  // namespace

void Print(const std::string& text) {
  const int reason = WriteBesideStatus(STDOUT_FILENO, text);
  // These are not errors: the reader closed the pipe, the descriptor was never open, or the terminal was closed
  // (SIGHUP).
  if (reason == 0 || reason == EPIPE || reason == EBADF || (reason == EIO && Interrupted())) return;
  throw Failure(std::string("standard output cannot be written: ") + std::strerror(reason),
                "free some space, or redirect the output to another place");
}

void Tell(const std::string& text) { WriteBesideStatus(STDERR_FILENO, text); }

void ShowStatus(const std::string& line, size_t width) {
  const std::lock_guard<std::mutex> lock(g_one_at_a_time);
  // The last column stays empty: a terminal wraps a full line.
  const std::string shown = FirstColumns(line, width > 0 ? width - 1 : 0);
  const size_t columns = Columns(shown);
  if (columns == 0 && g_shown == 0) return;
  pollfd terminal{STDERR_FILENO, POLLOUT, 0};
  if (poll(&terminal, 1, 0) <= 0) return;
  std::string text = "\r" + shown;
  if (columns < g_shown) text += std::string(g_shown - columns, ' ') + (columns == 0 ? "\r" : "");
  WriteAll(STDERR_FILENO, text);
  g_shown = columns;
}

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
