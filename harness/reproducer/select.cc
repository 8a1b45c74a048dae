// harness/reproducer/select.cc: collects the definitions that a script needs, and the needed lines of each.
#include "harness/reproducer/select.h"

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "harness/reproducer/definitions.h"

namespace dlpack_cts {
namespace {

using Lines = std::vector<std::string>;

/// Whether a needed tag equals this one, or begins with it and a dot.
bool IsNeeded(const Needs& needs, const std::string& tag) {
  const auto at = needs.tags.lower_bound(tag);
  if (at != needs.tags.end() && *at == tag) return true;
  const auto below = needs.tags.lower_bound(tag + ".");
  return below != needs.tags.end() && below->starts_with(tag + ".");
}

/// Removes the tags from the line. False if it has tags and is not needed.
bool Resolve(const Needs& needs, std::string& line) {
  const size_t mark = line.find("  #? ");
  if (mark == std::string::npos) return true;
  std::string words = line.substr(mark + 5) + " ";
  line.erase(mark);
  for (size_t end = words.find(' '); end != std::string::npos; end = words.find(' ')) {
    const std::string tag = words.substr(0, end);
    const bool without = tag.starts_with('!');
    if (IsNeeded(needs, without ? tag.substr(1) : tag) != without) return true;
    words.erase(0, end + 1);
  }
  return false;
}

/// Whether the statement records a fact other than the watched one.
bool NotesAnotherFact(const Needs& needs, const std::string& line) {
  static const std::regex kNote(
      R"re(^\s*(self\.|self\.life\.)?(facts\[[^=]*"([^"]*)"[^"=]*\] =|count\(.*"([^"]*)"\)$).*)re");
  std::smatch match;
  if (needs.every_fact || !std::regex_match(line, match, kNote)) return false;
  std::string name = match[3].matched ? match[3] : match[4];
  if (name.starts_with('.')) name.erase(0, 1);
  for (size_t at = name.find("%d"); at != std::string::npos; at = name.find("%d")) name.erase(at, 2);
  std::string fact;  // without numbers of slots and calls
  std::copy_if(needs.fact.begin(), needs.fact.end(), std::back_inserter(fact),
               [](char c) { return c < '0' || c > '9'; });
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }), name.end());
  return fact != name && !fact.ends_with("." + name);
}

/// The lines without those for which `goes` is true, and without their blocks. `goes` may edit the line.
Lines Kept(Lines lines, const auto& goes) {
  Lines kept;
  size_t gone = std::string::npos;  // the indent of the dropped line whose block is dropped too
  for (std::string& line : lines) {
    if (IndentOf(line) > gone && gone != std::string::npos) continue;
    gone = std::string::npos;
    if (goes(line)) {
      gone = IndentOf(line);
    } else {
      kept.push_back(std::move(line));
    }
  }
  return kept;
}

bool OpensBlock(const std::string& line) {
  const size_t indent = IndentOf(line);
  for (const char* word : {"if ", "for ", "else:"}) {
    if (line.compare(indent, std::string(word).size(), word) == 0 && line.ends_with(':')) return true;
  }
  return false;
}

/// Removes conditions and loops without a body, and `if True:` around a block.
Lines Tidied(Lines lines) {
  for (size_t i = 0; i < lines.size();) {
    const size_t indent = IndentOf(lines[i]);
    const bool filled = i + 1 < lines.size() && IndentOf(lines[i + 1]) > indent;
    if (OpensBlock(lines[i]) && !filled) {
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    } else if (lines[i].substr(indent) == "if True:") {
      for (size_t j = i + 1; j < lines.size() && IndentOf(lines[j]) > indent; ++j) lines[j].erase(0, 4);
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  const bool is_function = !lines.empty() && lines.back().find("def ") == IndentOf(lines.back());
  if (is_function && lines.back().ends_with(':')) {
    lines.push_back(std::string(IndentOf(lines.back()) + 4, ' ') + "pass");
  }
  return lines;
}

/// The name that the statement assigns to, if it has no other effect; else "".
std::string Assigned(const std::string& line, bool* attribute) {
  static const std::regex kAssignment(R"re(^\s+((?:[\w\[\]]+\.)*)(\w+) \+?= (.*))re");
  std::smatch match;
  if (!std::regex_match(line, match, kAssignment)) return "";
  const std::string value = match[3];
  for (const char* effect : {"library.", "outcome(", "_note_call(", "from_dlpack(", "ask(", "byref(", "EXPORT."}) {
    if (value.find(effect) != std::string::npos) return "";
  }
  const std::string before = match[1];  // only objects of the script: the library may read attributes of other objects
  *attribute = !before.empty();
  if (*attribute && !before.starts_with("self.") && !before.starts_with("offer.") && !before.starts_with("export.")) {
    return "";
  }
  return match[2];
}

/// The names that the lines read. In an assignment only the right side counts.
Names ReadBy(const Lines& lines) {
  Names names;
  for (const std::string& line : lines) {
    bool attribute = false;
    const std::string assigned = Assigned(line, &attribute);
    AddNames(assigned.empty() ? line : line.substr(line.find("= ") + 2), names);
  }
  return names;
}

class Selector {
 public:
  Selector(std::string_view prelude, const Needs& needs) : needs_(needs), all_(Definitions(prelude)) {
    for (Definition& definition : all_) {
      definition.lines = Tidied(Kept(definition.lines, [this](std::string& line) {
        return !Resolve(needs_, line) || NotesAnotherFact(needs_, line);
      }));
    }
    std::erase_if(all_, [](const Definition& definition) { return definition.lines.empty(); });
  }

  Selection Run() {
    do {
      Close();
    } while (DropUnread());
    Selection selection;
    const Definition* last = nullptr;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (!chosen_[i]) continue;
      if (all_[i].is_import) {
        selection.imports += (selection.imports.empty() ? "" : ", ") + all_[i].names.front();
        continue;
      }
      // No blank lines between short definitions, and between methods of a class.
      const bool block = all_[i].lines.size() > 1 || (last != nullptr && last->lines.size() > 1);
      const bool inside = !all_[i].owner.empty() && !all_[i].is_class;
      if (last != nullptr && block && !inside) selection.code += '\n';
      for (const std::string& line : all_[i].lines) selection.code += line + "\n";
      last = &all_[i];
    }
    return selection;
  }

 private:
  bool IsNamed(const Definition& definition, const Names& names) const {
    return std::any_of(definition.names.begin(), definition.names.end(), [&](const std::string& name) {
      if (definition.is_class || definition.owner.empty()) return names.plain.contains(name);
      return names.plain.contains(definition.owner) && (name.starts_with("__") || names.attributes.contains(name));
    });
  }

  void Close() {
    chosen_.assign(all_.size(), false);
    names_ = {};
    AddAll(needs_.code);
    for (bool grows = true; grows;) {
      grows = false;
      for (size_t i = 0; i < all_.size(); ++i) {
        if (chosen_[i] || !IsNamed(all_[i], names_)) continue;
        chosen_[i] = grows = true;
        const Names more = ReadBy(all_[i].lines);
        names_.plain.insert(more.plain.begin(), more.plain.end());
        names_.attributes.insert(more.attributes.begin(), more.attributes.end());
      }
    }
  }

  void AddAll(std::string_view code) {
    while (!code.empty()) {
      const size_t end = std::min(code.find('\n'), code.size());
      AddNames(code.substr(0, end), names_);
      code.remove_prefix(std::min(end + 1, code.size()));
    }
  }

  /// Drops assignments that nothing reads. True if one was dropped.
  bool DropUnread() {
    bool dropped = false;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (!chosen_[i] || all_[i].owner.empty() == (IndentOf(all_[i].lines.front()) > 0)) continue;
      const Names local = ReadBy(all_[i].lines);
      const size_t before = all_[i].lines.size();
      all_[i].lines = Tidied(Kept(all_[i].lines, [&](const std::string& line) {
        bool attribute = false;
        const std::string name = Assigned(line, &attribute);
        return !name.empty() && !(attribute ? names_.attributes : local.plain).contains(name);
      }));
      dropped = dropped || all_[i].lines.size() != before;
    }
    return dropped;
  }

  const Needs& needs_;
  std::vector<Definition> all_;
  std::vector<bool> chosen_;
  Names names_;
};

}  // namespace

Selection Select(std::string_view prelude, const Needs& needs) { return Selector(prelude, needs).Run(); }

bool NamesAttribute(std::string_view code, std::string_view name) {
  Names names;
  while (!code.empty()) {
    const size_t end = std::min(code.find('\n'), code.size());
    AddNames(code.substr(0, end), names);
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return names.attributes.contains(std::string(name));
}

}  // namespace dlpack_cts
