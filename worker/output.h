// worker/output.h: writes the worker's lines, each with one write(2).
#ifndef DLPACK_CTS_WORKER_OUTPUT_H_
#define DLPACK_CTS_WORKER_OUTPUT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "results/result.h"

namespace dlpack_cts {

class Output {
 public:
  explicit Output(int fd) : fd_(fd) {}
  void Write(const nlohmann::json& line) const;
  void Write(const Observation& observation) const;
  void Error(const std::string& message, const std::string& hint, const std::string& detail) const;

 private:
  int fd_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_OUTPUT_H_
