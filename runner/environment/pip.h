// runner/environment/pip.h: what pip says about an installation that failed.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_PIP_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_PIP_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// Why pip could not install something, from its output.
struct PipReason {
  std::string text;              // one sentence of pip: "2.5.1 Requires-Python >=3.12"
  std::string requires_python;   // ">=3.12", if the interpreter is the reason
  bool no_distribution = false;  // the index has no such version for this interpreter
  bool no_connection = false;    // the index could not be reached
};

/// `requirements` are what pip was asked to install: "numpy==2.5.1".
PipReason ReasonOf(const std::string& output, const std::vector<std::string>& requirements);

/// Whether a version of Python, "3.12", can be meant by a specifier such as ">=3.12,<3.15". True if a part of it is not
/// understood.
bool MayAllow(const std::string& specifier, const std::string& python);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_PIP_H_
