// runner/environment/install.h: makes an environment, and installs the requirements of a library in it.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_INSTALL_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_INSTALL_H_

#include <optional>
#include <string>

#include "runner/environment/file_lock.h"
#include "runner/environment/library.h"
#include "runner/environment/pip.h"

namespace dlpack_cts::runner {

/// Whether the environment is complete, and its interpreter is still installed.
bool IsMade(const std::string& folder);

/// Makes the environment; returns pip's reason if pip cannot install the requirements. Throws Failure for anything
/// else. Call it with the lock held: an existing folder was left behind by a run that was killed.
std::optional<PipReason> Install(const Library& library, const std::string& interpreter, const std::string& folder,
                                 const FileLock& lock);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_INSTALL_H_
