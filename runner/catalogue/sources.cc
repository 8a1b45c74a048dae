// runner/catalogue/sources.cc: expands the short keys in the field `source` of a rule.
#include "runner/catalogue/sources.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "results/parse.h"
#include "results/whole_file.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kLargest = size_t{1} << 20;  // in bytes

constexpr std::string_view kLineCharacters = "0123456789,-";

/// How many characters at the beginning are lines: "97-106,120" of "97-106,120 (a remark)". A comma or dash that ends
/// a clause does not count.
size_t SizeOfLines(std::string_view text) {
  size_t size = std::min(text.find_first_not_of(kLineCharacters), text.size());
  while (size > 0 && (text[size - 1] == ',' || text[size - 1] == '-')) --size;
  return size;
}

/// "97-106,120" as GitHub marks lines: "#L97-L106".
std::string MarkOf(const std::string& lines) {
  const std::string first = lines.substr(0, lines.find(','));
  const size_t dash = first.find('-');
  if (dash == std::string::npos) return "#L" + first;
  return "#L" + first.substr(0, dash) + "-L" + first.substr(dash + 1);
}

/// ", line 97", ", lines 97-106".
std::string LinesText(const std::string& lines) {
  return (lines.find_first_of("-,") == std::string::npos ? ", line " : ", lines ") + lines;
}

/// KEY:LINES, KEY#NUMBER or KEY, each perhaps with a remark behind it.
SourcePart One(const nlohmann::json& keys, const std::string& part) {
  const size_t end = std::min(part.find_first_of(":# "), part.size());
  const std::string key = part.substr(0, end);
  const std::string rest = part.substr(end);
  const nlohmann::json& projects = keys.at("projects");
  if (rest.starts_with('#') && projects.contains(key)) {
    const auto project = projects.at(key).get<std::string>();
    const std::string number = rest.substr(1, rest.find_first_not_of("0123456789", 1) - 1);
    return {project + rest, "https://github.com/" + project + "/issues/" + number};
  }
  const nlohmann::json& documents = keys.at("documents");
  if (!documents.contains(key)) return {part, ""};
  const auto title = documents.at(key).at("title").get<std::string>();
  const auto link = documents.at(key).at("link").get<std::string>();
  if (!rest.starts_with(':')) return {title + rest, link};
  const std::string place = rest.substr(1);
  const std::string lines = place.substr(0, SizeOfLines(place));
  if (lines.empty()) return {part, ""};
  return {title + LinesText(lines) + place.substr(lines.size()), link + MarkOf(lines)};
}

std::vector<std::string> Parts(const std::string& source) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = std::min(source.find(';', begin), source.size());
    parts.push_back(source.substr(begin, end - begin));
    begin = std::min(source.find_first_not_of(' ', std::min(end + 1, source.size())), source.size());
  }
  return parts;
}

}  // namespace

nlohmann::json ReadSourceKeys(const std::string& folder) {
  const std::string file = folder + "/sources.json";
  const char* hint = "restore the folder rules/ of the source tree";
  const auto read = [&] { return ReadWholeFile(file, kLargest); };
  const std::string text = WithContext("", hint, read, kHarness);
  nlohmann::json keys = WithContext(file + " ", hint, [&] { return ParseJson(text); }, kHarness);
  const auto is_text = [](const nlohmann::json& row) { return row.is_string(); };
  const auto is_document = [&](const nlohmann::json& row) {
    return row.is_object() && is_text(row.value("title", nlohmann::json())) &&
           is_text(row.value("link", nlohmann::json()));
  };
  const auto check = [&](const char* table, const auto& is_row, const std::string& what) {
    const nlohmann::json rows = keys.is_object() ? keys.value(table, nlohmann::json()) : nlohmann::json();
    if (rows.is_object() && std::ranges::all_of(rows, is_row)) return;
    throw Failure(file + ": \"" + table + "\" is not an object of " + what, hint, kHarness);
  };
  check("documents", is_document, "objects with title and link");
  check("projects", is_text, "strings");
  return keys;
}

std::vector<SourcePart> SourceParts(const nlohmann::json& keys, const std::string& source) {
  std::vector<SourcePart> parts;
  for (const std::string& part : Parts(source)) parts.push_back(One(keys, part));
  return parts;
}

std::string SourceText(const nlohmann::json& keys, const std::string& source) {
  std::string text;
  for (const SourcePart& part : SourceParts(keys, source)) text += (text.empty() ? "" : "; ") + part.text;
  return text;
}

std::vector<std::string> SourceLinks(const nlohmann::json& keys, const std::string& source) {
  std::vector<std::string> links;
  for (const SourcePart& part : SourceParts(keys, source)) {
    if (!part.link.empty()) links.push_back(part.link);
  }
  return links;
}

std::string WrittenOut(const nlohmann::json& keys, const std::string& sentence) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; };
  const nlohmann::json& documents = keys.at("documents");
  std::string text;
  for (size_t i = 0; i < sentence.size();) {
    size_t end = i;
    while (end < sentence.size() && is_word(sentence[end])) ++end;
    const std::string word = sentence.substr(i, end - i);
    const std::string rest = sentence.substr(end);
    const size_t lines = rest.starts_with(':') ? SizeOfLines(std::string_view(rest).substr(1)) : 0;
    if (lines > 0 && documents.contains(word)) {
      text += documents.at(word).at("title").get<std::string>() + LinesText(rest.substr(1, lines));
      i = end + 1 + lines;
      continue;
    }
    text += word.empty() ? sentence.substr(i, 1) : word;
    i = std::max(end, i + 1);
  }
  return text;
}

}  // namespace dlpack_cts::runner
