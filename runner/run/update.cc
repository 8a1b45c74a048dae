// runner/run/update.cc: removes entries from a list of known deviations, and appends new ones.
#include "runner/run/update.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/conclusion.h"
#include "reports/evidence.h"
#include "reports/text.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/print.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr size_t kLargestList = size_t{16} << 20;
constexpr size_t kLongWhy = 300;
constexpr const char* kHint = "give --expectations a writable file";

/// The lines, with their newlines.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

char FirstOf(const std::string& line) {
  const size_t at = line.find_first_not_of(" \t\r\n");
  return at == std::string::npos ? '\0' : line[at];
}

Failure NotATable(const std::string& file, int line) {
  return {file + ":" + std::to_string(line) + ": the entry is not written as a table",
          "begin each entry with a line [[expect]], so that --update can remove it"};
}

/// Marks the lines of an entry: its values, the comment directly above it, and one empty line after it. A comment at
/// the beginning of the file belongs to the file.
void TakeOut(const Expectation& entry, const std::vector<std::string>& lines, std::vector<bool>& out) {
  size_t begin = static_cast<size_t>(entry.line) - 1;
  size_t end = static_cast<size_t>(entry.last_line);
  if (end > lines.size() || begin >= end || FirstOf(lines[begin]) != '[') throw NotATable(entry.file, entry.line);
  while (begin > 0 && FirstOf(lines[begin - 1]) == '#') --begin;
  if (begin == 0) begin = static_cast<size_t>(entry.line) - 1;
  if (end < lines.size() && FirstOf(lines[end]) == '\0') ++end;
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin), out.begin() + static_cast<std::ptrdiff_t>(end), true);
}

std::string TomlText(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "\"";
}

/// The beginning of the message that fits on one line unchanged. An entry matches the beginning of a message.
std::string Beginning(const std::string& message) {
  const std::string shown = OneLine(message, message.size() + 1);
  const auto differs = std::mismatch(message.begin(), message.end(), shown.begin(), shown.end());
  return {message.begin(), differs.first};
}

/// ["numpy", "torch"]
std::string TomlList(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + TomlText(text);
  return "[" + list + "]";
}

/// Replaces the list of partners in the lines of the file. Later lines keep their numbers.
void SetPartners(const Expectation& entry, const std::vector<std::string>& partners, std::vector<std::string>& lines) {
  const TextRange& at = entry.partners_at;
  const auto first = static_cast<size_t>(at.first_line) - 1;
  const auto last = static_cast<size_t>(at.last_line) - 1;
  const auto begin = static_cast<size_t>(at.first_column) - 1;
  const auto end = static_cast<size_t>(at.end_column) - 1;
  if (last >= lines.size() || first > last || begin >= lines[first].size() || lines[first][begin] != '[' ||
      end > lines[last].size()) {
    throw NotATable(entry.file, entry.line);
  }
  const std::string rest = lines[last].substr(end);
  lines[first] = lines[first].substr(0, begin) + TomlList(partners) + rest;
  for (size_t line = first + 1; line <= last; ++line) lines[line].clear();
}

std::string TextOf(const NewEntry& entry) {
  const std::string comment = entry.comment.empty() ? "" : "# " + OneLine(entry.comment) + "\n";
  std::string text = "\n" + comment + "[[expect]]\n" + entry.key + "\n";
  if (entry.role) text += (*entry.role == PairRole::kConsumer ? "from = " : "to = ") + TomlList(entry.partners) + "\n";
  return text + "verdict = " + TomlText(std::string(ToText(entry.verdict))) + "\n" + entry.message +
         "why = " + TomlText("not yet explained: " + OneLine(entry.why, kLongWhy)) + "\n";
}

std::string CommentOf(const std::string& rule, const std::string& example) {
  const std::string shown = example.empty() ? "" : "example: " + example;
  return rule + (rule.empty() || shown.empty() ? "" : "; ") + shown;
}

NewEntry EntryOf(const Run& run, const Cause& cause) {
  return {.comment = CommentOf(cause.rule, cause.words.example),
          .key = "cause = " + TomlText(cause.id),
          .verdict = cause.verdict,
          .message = "",
          .why = Headline(run, cause)};
}

NewEntry EntryOf(const Result& result) {
  const std::string rule = result.breached.empty() ? result.seen.rule : result.breached.front();
  return {.comment = CommentOf(rule, result.seen.words.example),
          .key = "case = " + TomlText(result.seen.case_id),
          .verdict = result.verdict,
          .message = "message = " + TomlText(Beginning(result.seen.message)) + "\n",
          .why = result.seen.message};
}

std::string NameOf(const Expectation& entry) {
  if (!entry.cause.empty()) return "cause " + entry.cause;
  return entry.cases.empty() ? "rule " + entry.rule : "case " + entry.cases;
}

/// If the file is a link, its target is rewritten.
std::string TargetOf(const std::string& file) { return Resolved(file); }

Failure Unwritable(const std::string& file, int reason) {
  return {"the file " + file + " cannot be written: " + std::strerror(reason), kHint};
}

}  // namespace

std::vector<Unexpected> UnexpectedIn(const Run& run) {
  std::vector<Unexpected> unexpected;
  std::vector<std::string> told;
  for (const Cause& cause : run.causes) {
    if (cause.as_expected) continue;
    unexpected.push_back({EntryOf(run, cause), &cause});
    told.insert(told.end(), cause.cases.begin(), cause.cases.end());
  }
  for (const Result& result : run.results) {
    const bool listed = std::find(told.begin(), told.end(), result.seen.case_id) != told.end();
    if (!result.as_expected && IsDeviation(result.verdict) && !listed) unexpected.push_back({EntryOf(result), nullptr});
  }
  return unexpected;
}

ListChanges ChangesOf(const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run) {
  ListChanges changes{.file = list.file(), .library = run.header.library, .listed = list.entries().size()};
  for (const StaleEntry& one : stale) changes.removed.push_back({list.entries()[one.entry], one.sentence});
  for (Unexpected& one : UnexpectedIn(run)) changes.added.push_back(std::move(one.entry));
  return changes;
}

Updated Update(const std::string& text, const ListChanges& changes) {
  Updated updated;
  std::vector<std::string> lines = LinesOf(text);
  std::vector<bool> out(lines.size());
  size_t gone = 0;
  for (const Removal& one : changes.removed) {
    const Expectation& entry = one.entry;
    std::vector<std::string> left = entry.partners;
    std::erase_if(left, [&](const std::string& partner) {
      return std::ranges::find(one.partners, partner) != one.partners.end();
    });
    if (one.partners.empty() || left.empty()) {
      TakeOut(entry, lines, out);
      ++gone;
    } else {
      SetPartners(entry, left, lines);
    }
    updated.removed.push_back(NameOf(entry) + " (" + entry.why + "): " + one.sentence);
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!out[i]) updated.text += lines[i];
  }
  updated.kept = changes.listed - gone;
  updated.added = changes.added.size();
  if (text.empty()) updated.text = "# Known deviations of " + OneLine(changes.library) + " (docs/expectations.md).\n";
  if (!updated.text.ends_with('\n')) updated.text += '\n';
  for (const NewEntry& one : changes.added) {
    const std::string entry = TextOf(one);
    // Exactly one empty line before each entry.
    updated.text += updated.text.ends_with("\n\n") ? entry.substr(1) : entry;
  }
  return updated;
}

void CheckUpdate(const std::string& file) {
  const fs::path target = TargetOf(file);
  std::error_code failed;
  if (fs::exists(target, failed) && access(target.c_str(), W_OK) != 0) throw Unwritable(file, errno);
  if (fs::is_directory(target, failed)) throw Unwritable(file, EISDIR);
  const fs::path probe = target.parent_path() / ".dlpack-cts-probe";
  if (const int reason = WriteWholeFile(probe, "\n"); reason != 0) throw Unwritable(file, reason);
  fs::remove(probe, failed);
}

void UpdateFile(const ListChanges& changes) {
  const std::string& file = changes.file;
  std::string text;
  if (Exists(file)) text = WithContext("", kHint, [&] { return ReadWholeFile(file, kLargestList); });
  const Updated updated = Update(text, changes);
  if (updated.added + updated.removed.size() > 0) {
    if (const int reason = WriteWholeFile(TargetOf(file), updated.text); reason != 0) throw Unwritable(file, reason);
  }
  std::string told = "dlpack-cts: " + OneLine(file) + ": " + std::to_string(updated.added) + " added, " +
                     std::to_string(updated.removed.size()) + " removed, " + std::to_string(updated.kept) + " kept\n";
  if (updated.added > 0)
    told += "  replace each `why` that begins with \"not yet explained\" before you commit the file\n";
  for (const std::string& removed : updated.removed) told += "  removed " + OneLine(removed, kLongWhy * 4) + "\n";
  Tell(told);
}

}  // namespace dlpack_cts::runner
