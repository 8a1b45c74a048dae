// runner/campaign/table.h: the table at the end of a campaign.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_TABLE_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_TABLE_H_

#include <string>

#include "runner/campaign/book.h"
#include "runner/campaign/files.h"
#include "runner/campaign/leg.h"

namespace dlpack_cts::runner {

/// The counts and the CPU time of this command and of the whole campaign, and the causes that are not listed, with
/// their folders.
std::string CampaignTable(const CampaignState& state, const ExchangeCounts& now, double cpu_seconds,
                          const CauseBook& book, const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_TABLE_H_
