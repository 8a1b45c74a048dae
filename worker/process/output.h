// worker/process/output.h: writes the worker's lines, and waits for the signal that there is another job.
#ifndef DLPACK_CTS_WORKER_PROCESS_OUTPUT_H_
#define DLPACK_CTS_WORKER_PROCESS_OUTPUT_H_

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/failure.h"
#include "results/result.h"

namespace dlpack_cts::worker {

class Output {
 public:
  /// Every line starts with `mark`.
  explicit Output(int fd, std::string mark = "");
  /// False if the line could not be written: the reader is gone, or the library closed or replaced the descriptor.
  bool Write(const nlohmann::json& line) const;
  /// A line of that type: "observation", or "found" for one that is still being minimised.
  bool Write(const char* type, const Observation& observation) const;
  /// Writes the line that the library cannot be tested. Returns the exit status.
  int Report(const Failure& failure) const;
  /// Waits for a byte from the reader. False at the end of the input.
  bool AwaitWord() const;
  /// Closes the descriptor in a child, which writes to another reader.
  void Close() const;

 private:
  bool IsOurs() const;
  /// Waits until the descriptor can be read or written, in case the library made it non-blocking.
  void AwaitReady(short events) const;

  int fd_;
  std::string mark_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_OUTPUT_H_
