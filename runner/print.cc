// runner/print.cc: writes standard output and looks at what became of it.
#include "runner/print.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "reports/text.h"

namespace dlpack_cts::runner {

std::optional<Failure> Print(const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (n >= 0) {
      done += static_cast<size_t>(n);
    } else if (errno == EPIPE || errno == EBADF) {  // nobody reads: closed by the reader, or from the start
      return {};
    } else if (errno == EAGAIN) {
      pollfd reader{STDOUT_FILENO, POLLOUT, 0};
      poll(&reader, 1, -1);
    } else if (errno != EINTR) {
      return Failure(std::string("standard output cannot be written: ") + std::strerror(errno),
                     "free some space, or send the output elsewhere");
    }
  }
  return {};
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
  std::fputs(TextOf(failure).c_str(), stderr);
  return failure.status();
}

}  // namespace dlpack_cts::runner
