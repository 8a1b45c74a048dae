// runner/cli/adapter.h: the verbs of `adapter`.
#ifndef DLPACK_CTS_RUNNER_CLI_ADAPTER_H_
#define DLPACK_CTS_RUNNER_CLI_ADAPTER_H_

#include <string>

#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// Copies the skeleton of a Python adapter, with a toy library, to a folder that is new or empty. The library gets the
/// name of the folder. Throws Failure if the folder has files, or cannot be written.
void WriteAdapter(const std::string& folder);

/// Prints what the checks before a run find out about the adapter, and which claims it could add. Returns an exit
/// status. Throws Failure for a mistake of the adapter.
int CheckAdapter(const std::string& folder, const Options& options);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_ADAPTER_H_
