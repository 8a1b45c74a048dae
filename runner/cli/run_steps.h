// runner/cli/run_steps.h: what `run` and `interop` do before and after the tests.
#ifndef DLPACK_CTS_RUNNER_CLI_RUN_STEPS_H_
#define DLPACK_CTS_RUNNER_CLI_RUN_STEPS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runner/catalogue/catalogue.h"
#include "runner/environment/library.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// The cases of one library, or of pairs, that the options select. Throws Failure if there are none.
std::vector<std::string> CasesToRun(const Catalogue& catalogue, const Options& options, bool pairs);

/// Checks before anything runs that the files and folders of the command line exist. Throws Failure.
void CheckInputs(const Options& options);

/// The lists that --update may rewrite: none without that option.
std::vector<std::string> FilesToUpdate(const std::vector<Library>& libraries, const Options& options);

/// Checks that --update can write these files, and that none occurs twice: the second update would discard the entries
/// of the first. Throws Failure.
void CheckUpdates(const std::vector<std::string>& files);

/// Says how many of all cases or pairs run here.
void Begin(const Options& options, size_t here, size_t all, const std::string& what);

/// The exit status for what TestAll() returned.
int StatusOf(const Options& options, int status);

/// The last line of a report on the terminal says how to get the page.
void TellPage(const Options& options, int status);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_RUN_STEPS_H_
