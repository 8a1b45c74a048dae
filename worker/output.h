// worker/output.h: writes the worker's lines, each with one write(2).
#ifndef DLPACK_CTS_WORKER_OUTPUT_H_
#define DLPACK_CTS_WORKER_OUTPUT_H_

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>

#include "results/result.h"

namespace dlpack_cts {

class Output {
 public:
  explicit Output(int fd);
  /// False when the line did not go out: the driver is gone, or the library closed the descriptor or put a file of its
  /// own in its place.
  bool Write(const nlohmann::json& line) const;
  bool Write(const Observation& observation) const;
  /// Ends what a dead child may have left unfinished.
  void EndLine() const;
  void Error(const std::string& message, const std::string& hint, const std::string& detail) const;

 private:
  bool IsOurs() const;

  int fd_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_OUTPUT_H_
