// runner/cli/help.h: the texts of --help and --version.
#ifndef DLPACK_CTS_RUNNER_CLI_HELP_H_
#define DLPACK_CTS_RUNNER_CLI_HELP_H_

#include <CLI/CLI.hpp>
#include <string>

namespace dlpack_cts::runner {

/// The published versions of the C structs that the suites test, as in harness/abi/dlpack.h, which the driver must not
/// include. A test compares them.
inline constexpr char kLegacyVersions[] = "0.2 to 0.8";
inline constexpr char kVersionedVersions[] = "1.0 to 1.3";

/// "dlpack-cts 0.1.0", and the versions of DLPack that it tests.
std::string VersionText();

/// Gives `app` and the commands declared after this call the same help format, which shows the default of each option.
void ShapeHelp(CLI::App& app);

/// The end of a help text: one example, `more`, and the exit statuses.
std::string Footer(const std::string& example, const std::string& more = "");

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_HELP_H_
