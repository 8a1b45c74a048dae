// runner/environment/interpreters.h: finds the Python interpreters of this machine, and asks what they are.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_INTERPRETERS_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_INTERPRETERS_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// What an interpreter answers about itself.
struct Answer {
  bool runs = false;
  std::string version;  // "3.11"
  std::string library_folder;
  std::string library_name;
  std::string implementation;  // "cpython"
  bool free_threaded = false;
};

/// Throws Failure if the interpreter does not answer in time.
Answer AskInterpreter(const std::string& python);

/// Why that interpreter cannot be used; empty if it can.
std::string Unsuitable(const Answer& answer);

/// Names and paths that may be interpreters of that version, on PATH and in pyenv's folder. None is started.
std::vector<std::string> Interpreters(const std::string& version);

/// The first working interpreter of that version that dlpack-cts supports; empty if this machine has no such
/// interpreter.
std::string UsableInterpreter(const std::string& version);

/// The versions of CPython that dlpack-cts supports, the newest first.
std::vector<std::string> SupportedVersions();

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_INTERPRETERS_H_
