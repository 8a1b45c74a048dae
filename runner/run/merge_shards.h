// runner/run/merge_shards.h: makes one run of the shards of a run.
#ifndef DLPACK_CTS_RUNNER_RUN_MERGE_SHARDS_H_
#define DLPACK_CTS_RUNNER_RUN_MERGE_SHARDS_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "results/result.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// Makes one run of all shards of a run. What a shard cannot decide alone is decided here: which result reports a
/// cause that several shards have, which limitations a cause explains, which expectations are stale. `choices` is
/// the worker's list of open questions.
Run MergeShards(const Catalogue& catalogue, const nlohmann::json& choices, const std::vector<const Run*>& shards);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_MERGE_SHARDS_H_
