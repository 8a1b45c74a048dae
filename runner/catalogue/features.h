// runner/catalogue/features.h: reads the features that a site compares.
#ifndef DLPACK_CTS_RUNNER_CATALOGUE_FEATURES_H_
#define DLPACK_CTS_RUNNER_CATALOGUE_FEATURES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/site/features.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {

/// Reads the file. `limits` is the worker's list of that name. Throws a Failure with file, line and field, also for a
/// case or a limitation that does not exist.
std::vector<Feature> ReadFeatures(const std::string& file, const Catalogue& catalogue, const nlohmann::json& limits);

/// Those of rules/features/features.toml.
std::vector<Feature> ReadFeatures(const Catalogue& catalogue);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CATALOGUE_FEATURES_H_
