// base/failure.h: the exception for every error in what comes from outside: files, arguments, machines.
#ifndef DLPACK_CTS_BASE_FAILURE_H_
#define DLPACK_CTS_BASE_FAILURE_H_

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace dlpack_cts {

/// Exit statuses that the command line documents; of several, the highest of kHarness, kUsage, kUnexpected wins.
enum Exit : int { kAsExpected = 0, kUnexpected = 1, kUsage = 2, kHarness = 3, kInterrupted = 130 };

/// One sentence that says what is wrong and why, and a hint that says what to do. A function that does not know the
/// file, or what to do, throws a phrase; WithContext() completes it. main() prints both and exits with `status`.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message) : Failure(message, "") {}
  Failure(const std::string& message, std::string hint, int status = kUsage, std::string detail = "")
      : std::runtime_error(message), hint_(std::move(hint)), detail_(std::move(detail)), status_(status) {}
  const std::string& hint() const { return hint_; }
  /// For the log: a traceback, or the reason that the system gave.
  const std::string& detail() const { return detail_; }
  int status() const { return status_; }

 private:
  std::string hint_;
  std::string detail_;
  int status_;
};

/// As a program prints it on standard error: the message, the hint and the detail, each in lines of its own.
inline std::string Printed(const Failure& failure) {
  std::string text = std::string("dlpack-cts: ") + failure.what() + "\n";
  if (!failure.hint().empty()) text += "  hint: " + failure.hint() + "\n";
  return failure.detail().empty() ? text : text + failure.detail() + "\n";
}

/// Returns what `read` returns. A failure in it gets `context` in front of its message, and this hint and status.
template <typename Read>
auto WithContext(const std::string& context, const std::string& hint, const Read& read, int status = kUsage) {
  try {
    return read();
  } catch (const Failure& failure) {
    throw Failure(context + failure.what(), hint, status, failure.detail());
  }
}

/// Returns what `read` returns, or nothing if it fails: for input that is ignored if it is damaged.
template <typename Read>
auto IfValid(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Failure&) {
    return std::nullopt;
  }
}

/// Calls `act`. Returns its failure, or nothing if it succeeds: for work that goes on, and reports the failure later.
template <typename Act>
std::optional<Failure> FailureOf(const Act& act) {
  try {
    act();
  } catch (const Failure& failure) {
    return failure;
  }
  return std::nullopt;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_FAILURE_H_
