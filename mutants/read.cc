// mutants/read.cc: reads mutant files: a table for each mutant, with a key for each field that it changes.
#include "mutants/read.h"

#include <fmt/format.h>

// An assertion of the parser would end the program before it reports a malformed file.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/case/claims.h"
#include "mutants/fields.h"

namespace dlpack_cts {
namespace {

std::vector<std::string> TextsOf(const toml::node& node) {
  std::vector<std::string> texts;
  if (!node.is_array()) throw Failure("the value must be a list of texts");
  for (const toml::node& item : *node.as_array()) {
    if (!item.is_string()) throw Failure("the value must be a list of texts");
    texts.push_back(**item.as_string());
  }
  return texts;
}

Written WrittenAt(const toml::node& node) {
  if (const auto* const value = node.as_boolean()) return **value;
  if (const auto* const value = node.as_integer()) return **value;
  if (const auto* const value = node.as_string()) return **value;
  std::vector<int64_t> bits;
  if (!node.is_array()) throw Failure("the value must be true, false, a number, a text or a list of numbers");
  for (const toml::node& item : *node.as_array()) {
    if (!item.is_integer()) throw Failure("a list must have numbers of bits");
    bits.push_back(**item.as_integer());
  }
  return bits;
}

/// The enumerators of Claim or Trait in a list.
template <typename Enum>
std::vector<Enum> ListedIn(const toml::node& node) {
  std::vector<std::string_view> words;
  for (size_t i = 0; i < kEnumerators<Enum>; ++i) words.push_back(ToText(static_cast<Enum>(i)));
  std::vector<Enum> listed;
  for (const std::string& text : TextsOf(node)) listed.push_back(static_cast<Enum>(ReadWord(text, words)));
  return listed;
}

/// Reads the table of one mutant.
class MutantReader {
 public:
  explicit MutantReader(std::string_view name) { mutant_.name = name; }

  Mutant Read(const toml::node& node) {
    line_ = node.source().begin.line;
    if (!node.is_table()) throw Failure("is not a table");
    for (const auto& [key, value] : *node.as_table()) ReadKey(key.str(), value);
    line_ = node.source().begin.line;
    if (mutant_.what.empty()) throw Failure("has no `what`");
    if (mutant_.rules.empty() && !mutant_.conforming) throw Failure("does not name a rule that it violates");
    if (mutant_.changes.empty()) throw Failure("changes no field of Behaviour");
    if (mutant_.limited && !mutant_.conforming) throw Failure("is limited, but not conforming");
    return std::move(mutant_);
  }

  auto line() const { return line_; }

 private:
  void ReadKey(std::string_view key, const toml::node& node) {
    line_ = node.source().begin.line;
    path_ = key;
    try {
      if (key == "rules") {
        mutant_.rules = TextsOf(node);
      } else if (key == "what") {
        mutant_.what = TextOf(WrittenAt(node));
      } else if (key == "conforming") {
        mutant_.conforming = ReadBool(WrittenAt(node));
      } else if (key == "inconstant") {
        mutant_.inconstant = ReadBool(WrittenAt(node));
      } else if (key == "limited") {
        mutant_.limited = ReadBool(WrittenAt(node));
      } else if (key == "lacks") {
        mutant_.lacks = ListedIn<Claim>(node);
      } else if (key == "says") {
        mutant_.says = ListedIn<Trait>(node);
      } else if (key == "ranks") {
        mutant_.ranks = dlpack_cts::Read<uint32_t, kBitNumbers>(WrittenAt(node));
      } else {
        path_.clear();
        ReadField(key, node, BehaviourFields(), 0);
      }
    } catch (const Failure& failure) {
      throw Failure(fmt::format("has a mistake in {}: {}", path_, failure.what()));
    }
  }

  /// A field of a struct that begins at that offset of Behaviour, or the fields of a part of it.
  void ReadField(std::string_view name, const toml::node& node, std::span<const BehaviourField> fields, size_t offset) {
    line_ = node.source().begin.line;
    path_ += (path_.empty() ? "" : ".") + std::string(name);
    const auto field = std::ranges::find(fields, name, &BehaviourField::name);
    if (field == fields.end()) throw Failure("Behaviour has no such field (reference/behaviour.h)");
    offset += field->offset;
    if (field->parts.empty()) {
      FieldChange& change = mutant_.changes.emplace_back(FieldChange{offset, field->size});
      field->read(WrittenAt(node), change.value.data());
      return;
    }
    if (!node.is_table()) throw Failure("it is a part of Behaviour, not a field");
    const std::string path = path_;
    for (const auto& [key, value] : *node.as_table()) {
      path_ = path;
      ReadField(key.str(), value, field->parts, offset);
    }
  }

  Mutant mutant_;
  std::string path_;  // of what is read
  toml::source_index line_ = 0;
};

toml::table Parse(const MutantFile& file) {
  try {
    return toml::parse(file.text);
  } catch (const toml::parse_error& error) {
    throw Failure(fmt::format("{}:{}: {}", file.name, error.source().begin.line, error.description()));
  }
}

}  // namespace

std::vector<Mutant> ReadMutants(std::span<const MutantFile> files) {
  std::vector<Mutant> mutants;
  std::set<std::string> names;
  for (const MutantFile& file : files) {
    for (const auto& [name, node] : Parse(file)) {
      MutantReader reader(name.str());
      try {
        mutants.push_back(reader.Read(node));
        if (!names.insert(mutants.back().name).second) throw Failure("is declared twice");
      } catch (const Failure& failure) {
        throw Failure(fmt::format("{}:{}: the mutant {} {}", file.name, reader.line(), name.str(), failure.what()));
      }
    }
  }
  std::ranges::sort(mutants, {}, &Mutant::name);
  return mutants;
}

}  // namespace dlpack_cts
