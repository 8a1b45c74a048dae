// fuzz/job_log.h: writes the output of a job and its library to the log, and shows messages of dlpack-cts to the user.
#ifndef DLPACK_CTS_FUZZ_JOB_LOG_H_
#define DLPACK_CTS_FUZZ_JOB_LOG_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dlpack_cts::fuzz {

/// The text without control characters, which would reach a terminal.
std::string Printable(std::string_view text);

class JobLog {
 public:
  /// Reads from `words` from now on, and owns it. The caller owns `file`. If `shows`, lines that begin with
  /// "dlpack-cts:", and their hints, are also printed on standard error.
  void Follow(int words, int file, bool shows);
  /// Reads the available data without waiting. Lines are shown only while `starting`: later the library may print them.
  void Read(bool starting);
  /// The descriptor to poll; -1 at the end of the output.
  int descriptor() const { return words_; }

 private:
  void Show(std::string_view bytes);

  int words_ = -1;
  int file_ = -1;
  bool shows_ = false;
  bool hints_ = false;  // the last line was shown, so its hint is shown too
  size_t written_ = 0;
  std::string line_;
};

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_JOB_LOG_H_
