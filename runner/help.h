// runner/help.h: what --help and --version print.
#ifndef DLPACK_CTS_RUNNER_HELP_H_
#define DLPACK_CTS_RUNNER_HELP_H_

#include <CLI/CLI.hpp>
#include <string>

namespace dlpack_cts::runner {

/// Published versions of the C structs that the suites judge: those of harness/abi/dlpack.h, which the driver may not
/// include; a test compares them.
inline constexpr char kLegacyVersions[] = "0.2 to 0.8";
inline constexpr char kVersionedVersions[] = "1.0 to 1.3";

/// "dlpack-cts 0.1.0", and which versions of DLPack it judges.
std::string VersionText();

/// Gives `app` and the commands declared after this call one form of help, which says what happens without an option.
void ShapeHelp(CLI::App& app);

/// What stands below a help: one line to begin with, `more` where there is more to tell, and the exit statuses.
std::string Footer(const std::string& example, const std::string& more = "");

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_HELP_H_
