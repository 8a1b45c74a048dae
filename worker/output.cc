// worker/output.cc: writes the worker's lines.
#include "worker/output.h"

#include <unistd.h>

#include <cerrno>

namespace dlpack_cts {

void Output::Write(const nlohmann::json& line) const {
  // A library's text may be no UTF-8: what is wrong is replaced, the line is never lost.
  const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the driver is gone: nobody is left to tell
    done += static_cast<size_t>(n);
  }
}

void Output::Write(const Observation& observation) const {
  nlohmann::json line = ToJson(observation);
  line["type"] = "observation";
  Write(line);
}

void Output::Error(const std::string& message, const std::string& hint, const std::string& detail) const {
  Write(nlohmann::json{{"type", "error"}, {"message", message}, {"hint", hint}, {"detail", detail}});
}

}  // namespace dlpack_cts
