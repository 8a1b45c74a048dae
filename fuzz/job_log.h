// fuzz/job_log.h: what a job and its library print: to the log, within bounds, and what is meant for people to them.
#ifndef DLPACK_CTS_FUZZ_JOB_LOG_H_
#define DLPACK_CTS_FUZZ_JOB_LOG_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// The text without control characters, which would reach a terminal.
std::string Printable(std::string_view text);

class JobLog {
 public:
  /// Reads from `words` from now on, and owns it; `file` is the caller's. Where `shows`, lines that begin with
  /// "dlpack-cts:", and their hints, go to standard error too.
  void Follow(int words, int file, bool shows);
  /// Takes over what has come, without waiting. Only while `starting` is the job itself the one who speaks.
  void Read(bool starting);
  /// To poll; -1 when nothing comes any more.
  int descriptor() const { return words_; }

 private:
  void Show(std::string_view bytes);

  int words_ = -1;
  int file_ = -1;
  bool shows_ = false;
  bool hints_ = false;  // the last line was shown
  size_t written_ = 0;
  std::string line_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_JOB_LOG_H_
