// runner/environment/made.h: the environments that the cache has.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_MADE_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_MADE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace dlpack_cts::runner {

struct MadeEnvironment {
  std::string name;     // of its folder: the library, and a hash of its interpreter and requirements
  std::string library;  // or LIBRARY+LIBRARY, of a pair
  std::string folder;
  int64_t bytes = 0;      // of all files, on disk
  bool complete = false;  // the requirements are installed
};

/// All of them, by name.
std::vector<MadeEnvironment> MadeEnvironments();

/// Removes the environments of that name, or of that library, and returns them. Throws Failure if nothing matches, or
/// if a file cannot be removed. Waits for a run that makes one of them.
std::vector<MadeEnvironment> RemoveEnvironments(const std::string& name);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_MADE_H_
