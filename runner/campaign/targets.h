// runner/campaign/targets.h: the table of fuzz targets: which exchanges a campaign runs.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_TARGETS_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_TARGETS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// One row. A campaign draws the exchanges of these cases without end, with a new seed in each leg.
struct FuzzTarget {
  std::string_view name;  // in `dlpack-cts fuzz NAME`
  std::string_view what;
  std::vector<std::string> cases;  // globs
  std::vector<Role> roles;         // of which the library needs one; of a pair, the first library has to be a producer
  bool pair = false;               // it needs two libraries
};

std::span<const FuzzTarget> FuzzTargets();

/// The row of that name. Throws a Failure with all names if it does not exist.
const FuzzTarget& FindFuzzTarget(const std::string& name);

/// The cases of the target, in the order of the catalogue.
std::vector<std::string> CasesOf(const Catalogue& catalogue, const FuzzTarget& target);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_TARGETS_H_
