// runner/campaign/merge.h: makes one campaign of several, which ran on several machines.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_MERGE_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_MERGE_H_

#include <string>
#include <vector>

#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// Adds the campaigns in these folders to the one in `out`, which is made if it does not exist: figures are added, and
/// causes that `out` has not seen come with their files. The folders stay as they are. Prints a line for each, and the
/// table. Returns kUnexpected if a cause is new and not listed. Throws a Failure, before anything is written, if a
/// folder does not hold a campaign of the same target on the same version of the same library.
int MergeCampaigns(const Catalogue& catalogue, const std::vector<std::string>& folders, const std::string& out);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_MERGE_H_
