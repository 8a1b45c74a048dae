// runner/replay/regression.h: replays kept findings, and compares what they show with the expectations.
#ifndef DLPACK_CTS_RUNNER_REPLAY_REGRESSION_H_
#define DLPACK_CTS_RUNNER_REPLAY_REGRESSION_H_

#include <vector>

#include "runner/catalogue/catalogue.h"
#include "runner/replay/replay_file.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// Runs the exchange of each file again, all files of a library in one process until one ends it. Prints a line for
/// each file, and the counts. A finding has to show if the expectations list it for this version of the library, or if
/// a mutant of the reference shows it. It must not show otherwise. With options.keep, copies each finding that shows
/// to options.keep/LIBRARY/CAUSE.json, without what the file says about its machine. If a library cannot be tested at
/// all, or a file cannot be written, reports that and goes on with the next library. Returns the worst exit status.
/// Throws a Failure after an interrupt.
int ReplayFindings(const Catalogue& catalogue, const Options& options, const std::vector<ReplayFile>& files);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_REPLAY_REGRESSION_H_
