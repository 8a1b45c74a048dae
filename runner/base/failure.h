// runner/base/failure.h: the exception for every error that the driver reports to a user.
#ifndef DLPACK_CTS_RUNNER_BASE_FAILURE_H_
#define DLPACK_CTS_RUNNER_BASE_FAILURE_H_

#include <stdexcept>
#include <string>

namespace dlpack_cts::runner {

/// Exit statuses that the command line documents. If several apply: the highest of kHarness, kUsage and kUnexpected.
enum Exit : int { kAsExpected = 0, kUnexpected = 1, kUsage = 2, kHarness = 3, kInterrupted = 130 };

/// A sentence that says what is wrong and why, and a hint that says what to do. main() prints both and exits with
/// `status`.
class Failure : public std::runtime_error {
 public:
  Failure(const std::string& message, std::string hint, int status = kUsage)
      : std::runtime_error(message), hint_(std::move(hint)), status_(status) {}
  const std::string& hint() const { return hint_; }
  int status() const { return status_; }

 private:
  std::string hint_;
  int status_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_FAILURE_H_
