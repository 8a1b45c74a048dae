// fuzz/supervisor.h: runs a campaign as jobs, one process each, and reports the results at the end.
#ifndef DLPACK_CTS_FUZZ_SUPERVISOR_H_
#define DLPACK_CTS_FUZZ_SUPERVISOR_H_

#include "fuzz/board.h"
#include "fuzz/campaign.h"

namespace dlpack_cts::fuzz {

/// Starts the jobs of the campaign and watches them: the time of each exchange, the memory of each job, the time of the
/// campaign, and crashes. The first finding ends the campaign, and so do SIGINT, SIGTERM, SIGQUIT and SIGHUP.
///
/// It returns only in the jobs, each with its board. A job leads a separate process group, and its output goes to
/// OUT/fuzz.log. The calling process prints the numbers and findings, and exits with the status of the command line:
/// 0 nothing found, 1 something found, 2 the library could not be opened or OUT not written, 3 dlpack-cts failed,
/// 130 interrupted.
Board& StartJobs(const Campaign& campaign);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_SUPERVISOR_H_
