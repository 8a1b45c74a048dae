// runner/print.cc: writes standard output and looks at what became of it.
#include "runner/print.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

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

int Report(const Failure& failure) {
  std::fprintf(stderr, "dlpack-cts: %s\n", failure.what());
  if (!failure.hint().empty()) std::fprintf(stderr, "  hint: %s\n", failure.hint().c_str());
  return failure.status();
}

}  // namespace dlpack_cts::runner
