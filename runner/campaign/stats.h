// runner/campaign/stats.h: the figures of a campaign over time, as stats.csv has them.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_STATS_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_STATS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runner/campaign/leg.h"

namespace dlpack_cts::runner {

/// One line: the figures at the end of a leg, since the campaign began.
struct CampaignPoint {
  double seconds = 0;
  double cpu_seconds = 0;
  ExchangeCounts counts;
  uint64_t legs = 0;
  int64_t causes = 0;
  int64_t listed = 0;  // of the causes
};

std::string LineOf(const CampaignPoint& point);

/// The whole file: the heading and all lines.
std::string StatsOf(const std::vector<CampaignPoint>& points);

/// The points of that text. A damaged line is left out.
std::vector<CampaignPoint> PointsIn(const std::string& stats);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_STATS_H_
