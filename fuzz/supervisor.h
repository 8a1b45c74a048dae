// fuzz/supervisor.h: runs a campaign as jobs, one process each, and says at the end what came of it.
#ifndef DLPACK_CTS_FUZZ_SUPERVISOR_H_
#define DLPACK_CTS_FUZZ_SUPERVISOR_H_

#include "fuzz/board.h"
#include "fuzz/campaign.h"

namespace dlpack_cts {

/// Starts the campaign's jobs and watches them: how long an exchange takes, how much memory a job uses, whether the
/// time is over, who dies of what. The first finding ends the campaign, and so do SIGINT, SIGTERM and SIGHUP.
///
/// Returns in each job, with its board, as the leader of a process group of its own whose output goes to OUT/fuzz.log.
/// The caller itself prints figures and findings and leaves with the status of the command line:
/// 0 nothing found, 1 found, 2 the library could not be opened or OUT not be written, 3 the harness failed,
/// 130 interrupted.
Board& StartJobs(const Campaign& campaign);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_SUPERVISOR_H_
