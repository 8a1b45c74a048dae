// runner/catalogue/sources.h: expands the short keys in the field `source` of a rule.
#ifndef DLPACK_CTS_RUNNER_CATALOGUE_SOURCES_H_
#define DLPACK_CTS_RUNNER_CATALOGUE_SOURCES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// Reads FOLDER/sources.json: the objects `documents`, `links` and `projects`, key to text. Throws Failure (status 3).
nlohmann::json ReadSourceKeys(const std::string& folder);

/// "H13:97-106; numpy#123" becomes "dlpack.h of DLPack 1.3, lines 97-106; numpy/numpy#123". Unknown keys stay.
std::string SourceText(const nlohmann::json& keys, const std::string& source);

/// The addresses of the documents in the source that have one, with the lines: ".../dlpack.h#L97-L106".
std::vector<std::string> SourceLinks(const nlohmann::json& keys, const std::string& source);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CATALOGUE_SOURCES_H_
