// harness/reproducer/definitions.cc: finds the definitions in Python text, and their names.
#include "harness/reproducer/definitions.h"

#include <algorithm>

namespace dlpack_cts {
namespace {

bool IsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view NameAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsName(text[end])) ++end;
  return text.substr(at, end - at);
}

/// The end of the string that begins at `at`, or of the line.
size_t EndOfString(std::string_view line, size_t at) {
  const std::string_view quotes = line.substr(at, 3) == "\"\"\"" ? line.substr(at, 3) : line.substr(at, 1);
  for (size_t i = at + quotes.size(); i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line.substr(i, quotes.size()) == quotes) {
      return i + quotes.size();
    }
  }
  return line.size();
}

/// The names that a line at the left edge, or in a class, defines: `def f`, `import m`, `A, B = ...` and
/// `A.update(...)`.
std::vector<std::string> DefinedBy(std::string_view line) {
  for (const std::string_view word : {"def ", "class ", "import "}) {
    if (line.starts_with(word)) return {std::string(NameAt(line, word.size()))};
  }
  std::vector<std::string> names;
  for (size_t at = 0; at < line.size();) {
    const std::string_view name = NameAt(line, at);
    names.emplace_back(name);
    at += name.size();
    if (!line.substr(at).starts_with(", ")) break;
    at += 2;
  }
  return names;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

void AddNames(std::string_view line, Names& names) {
  std::string_view before;  // the name before the dot
  for (size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '#') return;
    if (c == '"' || c == '\'') {
      at = EndOfString(line, at);
      continue;
    }
    const std::string_view name = NameAt(line, at);
    if (name.empty()) {
      if (c != '.') before = {};
      ++at;
      continue;
    }
    const bool attribute = at > 0 && line[at - 1] == '.';
    if (!attribute) names.plain.emplace(name);
    if (attribute && before != "library") names.attributes.emplace(name);
    before = name;
    at += name.size();
  }
}

std::vector<Definition> Definitions(std::string_view text) {
  std::vector<Definition> found;
  std::string owner;
  bool decorated = false;
  for (const std::string_view line : LinesOf(text)) {
    const size_t indent = IndentOf(line);
    if (indent == line.size()) continue;
    const std::string_view code = line.substr(indent);
    const bool comment = code.starts_with('#');
    if (indent == 0 && !comment && !code.starts_with(')')) owner.clear();
    if (comment && (indent == 0 || (indent == 4 && !owner.empty()))) continue;
    const bool method = indent == 4 && !owner.empty() && (code.starts_with("def ") || code.starts_with('@'));
    const bool begins = method || (indent == 0 && !code.starts_with(')'));
    if (begins && !decorated) {
      found.emplace_back();
      found.back().owner = owner;
    }
    Definition& definition = found.back();
    if (begins) definition.names = DefinedBy(code);
    decorated = begins && code.starts_with('@');
    definition.is_import = definition.is_import || (indent == 0 && code.starts_with("import "));
    if (indent == 0 && code.starts_with("class ")) {
      definition.is_class = true;
      owner = definition.names.front();
      definition.owner = owner;
      const bool again = std::any_of(found.begin(), found.end() - 1, [&owner](const Definition& other) {
        return other.is_class && other.owner == owner;
      });
      if (again) {
        found.pop_back();
        continue;
      }
    }
    definition.lines.emplace_back(line);
  }
  // Methods that a class gets later follow its first ones.
  std::vector<Definition> ordered;
  for (const Definition& definition : found) {
    if (definition.owner.empty()) ordered.push_back(definition);
    if (!definition.is_class) continue;
    ordered.push_back(definition);
    std::copy_if(found.begin(), found.end(), std::back_inserter(ordered), [&definition](const Definition& method) {
      return !method.is_class && method.owner == definition.owner;
    });
  }
  return ordered;
}

}  // namespace dlpack_cts
