// runner/replay/minimize.h: makes the exchange of a finding as simple as it can be.
#ifndef DLPACK_CTS_RUNNER_REPLAY_MINIMIZE_H_
#define DLPACK_CTS_RUNNER_REPLAY_MINIMIZE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runner/catalogue/catalogue.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {

/// Runs the finding in the file, and minimises its exchange. Writes the smaller one to NAME.min.json in the same
/// folder, and prints what was removed. Returns kUnexpected if the finding does not show. Throws Failure.
int MinimizeFinding(const Catalogue& catalogue, const Options& options, const std::string& path);

/// One line for each field in which the recipes differ: "removed offers[0].flags = 2".
std::vector<std::string> ChangesOf(const nlohmann::json& before, const nlohmann::json& after);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_REPLAY_MINIMIZE_H_
