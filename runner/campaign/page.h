// runner/campaign/page.h: the page of a campaign: its figures over time as a plot, and its causes.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_PAGE_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_PAGE_H_

#include <string>
#include <vector>

#include "runner/campaign/book.h"
#include "runner/campaign/files.h"
#include "runner/campaign/stats.h"

namespace dlpack_cts::runner {

/// One HTML page without scripts and without other files.
std::string CampaignPage(const CampaignState& state, const std::vector<BookedCause>& causes,
                         const std::vector<CampaignPoint>& points);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_PAGE_H_
