// runner/campaign/campaign.h: an endless run of random exchanges, which goes on after every finding.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_CAMPAIGN_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_CAMPAIGN_H_

#include <cstdint>
#include <string>

#include "runner/campaign/targets.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {

struct CampaignPlan {
  const FuzzTarget& target;
  double seconds = 0;  // 0: no limit
  int64_t runs = 0;    // exchanges; 0: no limit
  int jobs = 1;        // workers at the same time
  std::string out;     // folder; a campaign in it is continued
};

/// Runs the campaign, and prints each new cause when it is found, and a table at the end. Returns the exit status:
/// kUnexpected if something new was found. Throws a Failure if the library cannot be tested at all.
int RunCampaign(const Catalogue& catalogue, const Assignment& assignment, const CampaignPlan& plan);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_CAMPAIGN_H_
