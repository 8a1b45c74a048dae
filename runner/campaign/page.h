// runner/campaign/page.h: the page of a campaign: its figures over time as a plot, and its causes.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_PAGE_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runner/campaign/book.h"
#include "runner/campaign/files.h"

namespace dlpack_cts::runner {

/// A line of stats.csv that the plot shows.
struct CampaignPoint {
  double seconds = 0;
  int64_t exchanges = 0;
  int64_t causes = 0;
};

/// The points of that text of stats.csv. A damaged line is left out.
std::vector<CampaignPoint> PointsIn(const std::string& stats);

/// One HTML page without scripts and without other files.
std::string CampaignPage(const CampaignState& state, const std::vector<BookedCause>& causes,
                         const std::vector<CampaignPoint>& points);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_PAGE_H_
