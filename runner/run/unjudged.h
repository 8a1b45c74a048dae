// runner/run/unjudged.h: values of properties that no case judges on the reference.
#ifndef DLPACK_CTS_RUNNER_RUN_UNJUDGED_H_
#define DLPACK_CTS_RUNNER_RUN_UNJUDGED_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts::runner {

struct UnjudgedValue {
  std::string value;  // "table-view/rank-9"
  std::string words;
  int64_t drawn = 0;  // examples that had it; none of them was conclusive
};

/// The values of the worker's list "values" of which `results` have no conclusive example. The results must be those of
/// the reference in a run of mutants: other results do not have all shares.
std::vector<UnjudgedValue> UnjudgedValues(const nlohmann::json& values, const std::vector<Result>& results);

nlohmann::json ToJson(const std::vector<UnjudgedValue>& values);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_UNJUDGED_H_
