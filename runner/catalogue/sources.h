// runner/catalogue/sources.h: expands the short keys in the field `source` of a rule.
#ifndef DLPACK_CTS_RUNNER_CATALOGUE_SOURCES_H_
#define DLPACK_CTS_RUNNER_CATALOGUE_SOURCES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// One part of a source: "dlpack.h of DLPack 1.3, lines 97-106", with the address of these lines.
struct SourcePart {
  std::string text;
  std::string link;  // empty for a key that is unknown
};

/// Reads FOLDER/sources.json: the objects `documents` (key to title and link) and `projects` (key to text). Throws
/// Failure (status 3).
nlohmann::json ReadSourceKeys(const std::string& folder);

/// The parts of a source, which are separated by semicolons. An unknown key stays as it is.
std::vector<SourcePart> SourceParts(const nlohmann::json& keys, const std::string& source);

/// "H13:97-106; numpy#123" becomes "dlpack.h of DLPack 1.3, lines 97-106; numpy/numpy#123".
std::string SourceText(const nlohmann::json& keys, const std::string& source);

/// The addresses of the parts: ".../dlpack.h#L97-L106". A page marks one range of lines, so this is the first one.
std::vector<std::string> SourceLinks(const nlohmann::json& keys, const std::string& source);

/// A sentence in which each document that is cited with lines is written out: "PS:129-131 only speaks of the GIL".
std::string WrittenOut(const nlohmann::json& keys, const std::string& sentence);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CATALOGUE_SOURCES_H_
