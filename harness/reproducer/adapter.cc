// harness/reproducer/adapter.cc: splits an adapter into statements, and selects those that a script uses.
#include "harness/reproducer/adapter.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <vector>

#include "base/text.h"

namespace dlpack_cts {
namespace {

using Words = std::set<std::string>;

/// A statement at the left edge, with the comments before it.
struct Statement {
  std::string text;
  std::string first;  // its first line that is not a comment
  bool optional = false;
  Words names;  // what it defines, if it is optional
};

void AddWords(const std::string& text, Words& words) {
  static const std::regex kWord("[A-Za-z_][A-Za-z_0-9]*");
  for (std::sregex_iterator match(text.begin(), text.end(), kWord), end; match != end; ++match) {
    words.insert(match->str());
  }
}

/// Lines of our own code without their comments.
Words WordsOfCode(std::string_view code) {
  Words words;
  for (const std::string_view line : Split(code, "\n")) AddWords(std::string(line.substr(0, line.find("  # "))), words);
  return words;
}

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool MayBeMisread(const std::string& text) {
  for (const std::string_view word :
       {"\r", "\f", "\\\n", "globals(", "locals(", "vars(", "eval(", "exec(", "__name__"}) {
    if (Contains(text, word)) return true;
  }
  for (const std::string_view line : Split(text, "\n")) {
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
      const size_t first = line.find(quotes);
      if (first == std::string_view::npos) continue;
      const size_t second = line.find(quotes, first + 3);
      if (second == std::string_view::npos || line.find(quotes, second + 3) != std::string_view::npos) return true;
    }
  }
  return false;
}

/// The name under which an adapter imports the file: of a.py, a/b.py and a/adapter.py it is a.
std::string NameOfModule(const std::string& path) {
  const std::filesystem::path file(path);
  return file.has_parent_path() ? file.begin()->string() : file.stem().string();
}

Words NamesOf(const std::map<std::string, std::string>& modules) {
  Words names;
  for (const auto& [path, text] : modules) names.insert(NameOfModule(path));
  return names;
}

/// Whether its brackets are closed; those in strings and comments count, too.
bool IsBalanced(const std::string& text) {
  const auto count = [&text](char c) { return std::count(text.begin(), text.end(), c); };
  return count('(') == count(')') && count('[') == count(']') && count('{') == count('}');
}

/// Says whether the statement is optional, and what it defines.
void Classify(const Words& modules, Statement& statement) {
  static const std::regex kDefinition("(?:def|class) (\\w+)\\b.*");
  static const std::regex kImport("import (\\w+)(?: as (\\w+))?(?:  #.*)?");
  static const std::regex kFrom("from (\\w+) import (\\w+)(?:  #.*)?");
  std::smatch match;
  if (std::regex_match(statement.first, match, kDefinition)) {
    statement.optional = !match.str(1).starts_with("__");
    statement.names = {match.str(1)};
  } else if (std::regex_match(statement.first, match, kImport) && modules.contains(match.str(1))) {
    statement.optional = true;
    statement.names = {match.str(match[2].matched ? 2 : 1)};
  } else if (std::regex_match(statement.first, match, kFrom) && modules.contains(match.str(1))) {
    statement.optional = true;
    statement.names = {match.str(2)};
  }
}

std::vector<Statement> StatementsOf(const AdapterText& adapter) {
  const Words modules = NamesOf(adapter.modules);
  std::vector<Statement> statements;
  bool open = false;  // a comment or decorator waits for its statement
  for (const std::string_view line : Split(adapter.text, "\n")) {
    const char start = line.empty() ? ' ' : line.front();
    const bool begins = !Contains(" \t)]}", std::string_view(&start, 1));
    if ((begins && !open) || statements.empty()) statements.emplace_back();
    Statement& statement = statements.back();
    if (begins && start != '#' && statement.first.empty()) statement.first = line;
    if (begins) open = start == '#' || start == '@';
    statement.text += std::string(line) + "\n";
  }
  for (Statement& statement : statements) Classify(modules, statement);
  return statements;
}

/// The modules whose names occur in the text, or in another one of them.
std::map<std::string, std::string> ModulesIn(std::string text, const std::map<std::string, std::string>& modules) {
  std::map<std::string, std::string> used;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [path, source] : modules) {
      if (used.contains(path) || !Contains(text, NameOfModule(path))) continue;
      used[path] = source;
      text += source;
      grows = true;
    }
  }
  return used;
}

}  // namespace

AdapterText WithoutUnused(const AdapterText& adapter, std::string_view code) {
  if (MayBeMisread(adapter.text)) return adapter;
  const std::vector<Statement> statements = StatementsOf(adapter);
  Words words = WordsOfCode(code);
  std::vector<bool> stays(statements.size(), false);
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Statement& statement = statements[i];
      const bool named = std::ranges::any_of(statement.names, [&](const auto& name) { return words.contains(name); });
      // The first line may be a coding declaration.
      const bool optional = statement.optional && i > 0 && IsBalanced(statement.text);
      if (stays[i] || (optional && !named)) continue;
      stays[i] = grows = true;
      AddWords(statement.text, words);
    }
  }
  if (std::find(stays.begin(), stays.end(), false) == stays.end()) return adapter;
  AdapterText kept;
  for (size_t i = 0; i < statements.size(); ++i) {
    if (stays[i]) kept.text += statements[i].text;
  }
  kept.modules = ModulesIn(kept.text, adapter.modules);
  if (kept.modules.empty() && !adapter.modules.empty()) {
    static const std::regex kPath("(^|\n)sys\\.path\\.insert\\(0, [^\n]*__file__[^\n]*\\)(  #[^\n]*)?\n");
    kept.text = std::regex_replace(kept.text, kPath, "$1");
  }
  while (kept.text.ends_with("\n\n")) kept.text.pop_back();
  return kept;
}

}  // namespace dlpack_cts
