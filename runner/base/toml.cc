// runner/base/toml.cc: strict reading of TOML files.
#include "runner/base/toml.h"

#include <algorithm>

#include "base/failure.h"
#include "base/paths.h"
#include "base/text.h"
#include "results/whole_file.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kLongestText = 100'000;  // the kernel takes arguments and variables of up to 128 KiB
constexpr size_t kMostToml = size_t{64} << 20;

}  // namespace

toml::table ParseToml(const std::string& path) {
  if (IsFolder(path)) throw Failure(path + " is a folder", "give the path of a TOML file");
  const std::string text =
      WithContext("", "check that the file exists and can be read", [&] { return ReadWholeFile(path, kMostToml); });
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& e) {
    const auto line = e.source().begin.line;
    throw Failure(path + (line > 0 ? ":" + std::to_string(line) : "") + ": " + std::string(e.description()),
                  "fix that line of the file");
  }
}

void TomlTable::Wrong(std::string_view field, const std::string& what, const std::string& hint) const {
  const toml::node* node = table_.get(field);
  const auto line = node != nullptr ? node->source().begin.line : table_.source().begin.line;
  throw Failure(
      file_ + (line > 0 ? ":" + std::to_string(line) : "") + ": the field \"" + std::string(field) + "\" " + what,
      hint);
}

void TomlTable::AllowOnly(std::initializer_list<std::string_view> fields) const {
  for (const auto& [key, value] : table_) {
    if (std::find(fields.begin(), fields.end(), key.str()) != fields.end()) continue;
    Wrong(key.str(), "is unknown", "the fields are " + Joined(fields, ", "));
  }
}

/// A text can become an argument or a variable of a process.
std::string TomlTable::Passed(std::string_view field, const std::string& text) const {
  if (text.find('\0') != std::string::npos) Wrong(field, "holds a NUL character");
  if (text.size() > kLongestText) {
    Wrong(field, "has " + std::to_string(text.size()) + " bytes, and no text may have more than " +
                     std::to_string(kLongestText));
  }
  return text;
}

std::string TomlTable::Text(std::string_view field) const {
  if (!table_.contains(field)) Wrong(field, "is missing");
  return TextOr(field, "");
}

std::string TomlTable::TextOr(std::string_view field, std::string otherwise) const {
  const toml::node* node = table_.get(field);
  if (node == nullptr) return otherwise;
  if (!node->is_string()) Wrong(field, "is not a string");
  return Passed(field, **node->as_string());
}

bool TomlTable::BoolOr(std::string_view field, bool otherwise) const {
  const toml::node* node = table_.get(field);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) Wrong(field, "is neither true nor false");
  return **node->as_boolean();
}

int64_t TomlTable::IntegerOr(std::string_view field, int64_t otherwise) const {
  const toml::node* node = table_.get(field);
  if (node == nullptr) return otherwise;
  if (!node->is_integer()) Wrong(field, "is not an integer");
  return **node->as_integer();
}

std::vector<std::string> TomlTable::TextsOr(std::string_view field, std::vector<std::string> otherwise) const {
  const toml::node* node = table_.get(field);
  if (node == nullptr) return otherwise;
  if (!node->is_array()) Wrong(field, "is not a list");
  std::vector<std::string> texts;
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_string()) Wrong(field, "is not a list of strings");
    texts.push_back(Passed(field, **item.as_string()));
  }
  return texts;
}

}  // namespace dlpack_cts::runner
