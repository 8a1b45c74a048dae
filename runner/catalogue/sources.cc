// runner/catalogue/sources.cc: expands the short keys in the field `source` of a rule.
#include "runner/catalogue/sources.h"

#include <algorithm>
#include <vector>

#include "base/failure.h"
#include "results/parse.h"
#include "results/whole_file.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kLargest = size_t{1} << 20;  // in bytes

/// One part of a source: KEY:LINES, KEY#NUMBER, or KEY with free text.
std::string One(const nlohmann::json& keys, const std::string& part) {
  const size_t end = std::min(part.find_first_of(":# "), part.size());
  const std::string key = part.substr(0, end);
  if (end < part.size() && part[end] == '#') {
    const nlohmann::json& projects = keys.at("projects");
    return projects.contains(key) ? projects.at(key).get<std::string>() + part.substr(end) : part;
  }
  const nlohmann::json& documents = keys.at("documents");
  if (!documents.contains(key)) return part;
  auto document = documents.at(key).get<std::string>();
  if (end == part.size()) return document;
  const std::string place = part.substr(end + 1);
  if (part[end] == ' ') return document + ", " + place;
  return document + (place.find_first_of("-,") == std::string::npos ? ", line " : ", lines ") + place;
}

/// The parts of a source, which are separated by semicolons.
std::vector<std::string> PartsOf(const std::string& source) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = std::min(source.find(';', begin), source.size());
    parts.push_back(source.substr(begin, end - begin));
    begin = std::min(source.find_first_not_of(' ', std::min(end + 1, source.size())), source.size());
  }
  return parts;
}

/// "97-106,120" as GitHub marks lines: "#L97-L106". A page marks one range, so this is the first one.
std::string MarkOf(const std::string& lines) {
  const std::string first = lines.substr(0, lines.find(','));
  const size_t dash = first.find('-');
  if (dash == std::string::npos) return "#L" + first;
  return "#L" + first.substr(0, dash) + "-L" + first.substr(dash + 1);
}

}  // namespace

nlohmann::json ReadSourceKeys(const std::string& folder) {
  const std::string file = folder + "/sources.json";
  const char* hint = "restore the folder rules/ of the source tree";
  const auto read = [&] { return ReadWholeFile(file, kLargest); };
  const std::string text = WithContext("", hint, read, kHarness);
  nlohmann::json keys = WithContext(file + " ", hint, [&] { return ParseJson(text); }, kHarness);
  for (const char* table : {"documents", "links", "projects"}) {
    const nlohmann::json rows = keys.is_object() ? keys.value(table, nlohmann::json()) : nlohmann::json();
    const auto is_text = [](const nlohmann::json& row) { return row.is_string(); };
    if (rows.is_object() && std::all_of(rows.begin(), rows.end(), is_text)) continue;
    throw Failure(file + ": \"" + table + "\" is not an object of strings", hint, kHarness);
  }
  return keys;
}

std::string SourceText(const nlohmann::json& keys, const std::string& source) {
  std::string text;
  for (const std::string& part : PartsOf(source)) text += (text.empty() ? "" : "; ") + One(keys, part);
  return text;
}

std::vector<std::string> SourceLinks(const nlohmann::json& keys, const std::string& source) {
  const nlohmann::json& links = keys.at("links");
  std::vector<std::string> found;
  for (const std::string& part : PartsOf(source)) {
    const size_t end = part.find(':');
    if (end == std::string::npos || !links.contains(part.substr(0, end))) continue;
    found.push_back(links.at(part.substr(0, end)).get<std::string>() + MarkOf(part.substr(end + 1)));
  }
  return found;
}

}  // namespace dlpack_cts::runner
