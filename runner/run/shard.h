// runner/run/shard.h: --shard: which suites, pairs, mutants or findings one of several machines runs, and the run's id.
#ifndef DLPACK_CTS_RUNNER_RUN_SHARD_H_
#define DLPACK_CTS_RUNNER_RUN_SHARD_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/result.h"

namespace dlpack_cts::runner {

struct Options;

/// One of `count` shards. Each id (of a suite, pair, mutant or finding) is in exactly one of them, whatever other ids
/// there are.
struct Shard {
  uint64_t number = 1;  // from 1
  uint64_t count = 1;   // 1: there is one shard, the whole

  bool IsWhole() const { return count == 1; }
  bool Has(std::string_view id) const;
  /// "2/3".
  std::string Text() const;
};

inline constexpr uint64_t kMostShards = 999;

/// "2/3", or nothing for another text.
std::optional<Shard> ParseShard(std::string_view text);

/// Header::options: the options that decide which cases run and what counts, unless they have their defaults.
nlohmann::json DecidingOptions(const Options& options);

/// The keys of the libraries of `interop` there, and of the pairs that do not run. PairsOf() returns the names of the
/// pairs that run; none for another command.
inline constexpr char kLibrariesOption[] = "libraries";
inline constexpr char kLeftOutOption[] = "left_out";
std::vector<std::string> PairsOf(const nlohmann::json& deciding_options);

/// Whether these options leave cases out.
bool IsNarrowed(const nlohmann::json& deciding_options);

/// Header::run_id: a hash of everything that the shards of one run have in common, after the id that --run-id, or the
/// continuous integration, gives. The pairs of `interop` have one id.
std::string RunIdOf(const Header& header, const Shard& shard, const std::string& given);

/// The value of --run-id, else the id of the GitHub workflow run or the GitLab pipeline, else "".
std::string GivenRunId(const std::string& option);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_SHARD_H_
