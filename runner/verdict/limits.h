// runner/verdict/limits.h: makes causes of the limitations that the probes of a library found.
#ifndef DLPACK_CTS_RUNNER_VERDICT_LIMITS_H_
#define DLPACK_CTS_RUNNER_VERDICT_LIMITS_H_

#include <functional>
#include <string>
#include <vector>

#include "results/limit.h"
#include "results/result.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// A value of a tensor of which no example of a passing case was conclusive, because the library refused all
/// of them, is a limitation too. A limitation that the field `limits` of a rule names has the verdict of that rule, any
/// other one is a NOTE. The worst comes first. A limitation that results or causes report already is left out, as is
/// one whose rule no result is about.
std::vector<Cause> LimitationsOf(const Catalogue& catalogue, bool claims_array_api, const std::vector<Limit>& limits,
                                 const Run& run);

/// The ids of those of which every example was refused begin with this.
inline constexpr std::string_view kLostPrefix = "limit/examples/";

/// Only these. Values that are known from elsewhere are left out.
std::vector<Cause> LostLimitations(const Run& run, const std::function<bool(const std::string& value)>& is_known);

/// Whether a result or a cause deviates from that rule.
bool ReportsDeviation(const std::string& rule, const Run& run);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_LIMITS_H_
