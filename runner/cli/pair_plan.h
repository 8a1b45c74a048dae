// runner/cli/pair_plan.h: which pairs `interop` tests, and in which environments.
#ifndef DLPACK_CTS_RUNNER_CLI_PAIR_PLAN_H_
#define DLPACK_CTS_RUNNER_CLI_PAIR_PLAN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "results/pairs.h"
#include "runner/environment/together.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// Two libraries of the command line, and their cell.
struct Pair {
  size_t producer;
  size_t consumer;
  PairCell cell;

  std::string Name() const;
};

struct PairPlan {
  std::vector<Library> libraries;
  std::vector<Pair> pairs;
  PairEnvironments environments = {};

  /// The library whose environment has the packages of both.
  const Library& HomeOf(const Pair& pair) const;
};

/// The libraries that the command line names, each once, and their pairs. Throws Failure.
PairPlan SelectPairs(Options& options);

/// Finds the environments. A pair that cannot be installed together gets that state. The pairs of other shards are
/// removed. Throws Failure.
void PlacePairs(Options& options, PairPlan& plan);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_PAIR_PLAN_H_
