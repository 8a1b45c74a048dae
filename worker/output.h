// worker/output.h: writes the worker's lines, each with one write(2), and hears when there is a further job.
#ifndef DLPACK_CTS_WORKER_OUTPUT_H_
#define DLPACK_CTS_WORKER_OUTPUT_H_

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>

#include "results/result.h"

namespace dlpack_cts::worker {

class Output {
 public:
  /// Every line begins with `mark`.
  explicit Output(int fd, std::string mark = "");
  /// False when the line did not go out: the reader is gone, or the library closed the descriptor or put a file of its
  /// own in its place.
  bool Write(const nlohmann::json& line) const;
  /// A line of that type: "observation", or "found" for what may still become smaller.
  bool Write(const char* type, const Observation& observation) const;
  void Error(const std::string& message, const std::string& hint, const std::string& detail) const;
  /// Waits for the reader's word, a byte. False where it will not come.
  bool AwaitWord() const;
  /// A child has a reader of its own.
  void Close() const;

 private:
  bool IsOurs() const;
  /// Waits until it can be read or written, where somebody made it a descriptor that does not wait.
  void AwaitReady(short events) const;

  int fd_;
  std::string mark_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_OUTPUT_H_
