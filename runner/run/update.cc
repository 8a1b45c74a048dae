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

/// Marks the lines of an entry: its values, the comment directly above it, and one empty line after it. A comment at
/// the beginning of the file belongs to the file.
void TakeOut(const Expectation& entry, const std::string& file, const std::vector<std::string>& lines,
             std::vector<bool>& out) {
  size_t begin = static_cast<size_t>(entry.line) - 1;
  size_t end = static_cast<size_t>(entry.last_line);
  if (end > lines.size() || begin >= end || FirstOf(lines[begin]) != '[') {
    throw Failure(file + ":" + std::to_string(entry.line) + ": the entry is not written as a table",
                  "begin each entry with a line [[expect]], so that --update can remove it");
  }
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

/// `key` is a cause or a case. `comment` helps a reader to find the reason.
std::string Entry(const std::string& comment, const std::string& key, Verdict verdict, const std::string& message,
                  const std::string& why) {
  return "\n# " + OneLine(comment) + "\n[[expect]]\n" + key + "\nverdict = " + TomlText(std::string(ToText(verdict))) +
         "\n" + message + "why = " + TomlText("not yet explained: " + OneLine(why, kLongWhy)) + "\n";
}

std::string CommentOf(const std::string& rule, const std::string& example) {
  return rule + (example.empty() ? "" : "; example: " + example);
}

std::string EntryOf(const Run& run, const Cause& cause) {
  return Entry(CommentOf(cause.rule, cause.words.example), "cause = " + TomlText(cause.id), cause.verdict, "",
               Headline(run, cause));
}

std::string EntryOf(const Result& result) {
  const std::string rule = result.breached.empty() ? result.seen.rule : result.breached.front();
  return Entry(CommentOf(rule, result.seen.words.example), "case = " + TomlText(result.seen.case_id), result.verdict,
               "message = " + TomlText(Beginning(result.seen.message)) + "\n", result.seen.message);
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

Updated Update(const std::string& text, const Expectations& list, const std::vector<StaleEntry>& stale,
               const Run& run) {
  Updated updated;
  const std::vector<std::string> lines = LinesOf(text);
  std::vector<bool> out(lines.size());
  for (const StaleEntry& one : stale) {
    const Expectation& entry = list.entries()[one.entry];
    TakeOut(entry, list.file(), lines, out);
    updated.removed.push_back(NameOf(entry) + " (" + entry.why + "): " + one.sentence);
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!out[i]) updated.text += lines[i];
  }
  updated.kept = list.entries().size() - stale.size();
  if (text.empty())
    updated.text = "# Known deviations of " + OneLine(run.header.library) + " (docs/expectations.md).\n";
  if (!updated.text.ends_with('\n')) updated.text += '\n';
  const auto add = [&](const std::string& entry) {
    // Exactly one empty line before each entry.
    updated.text += updated.text.ends_with("\n\n") ? entry.substr(1) : entry;
    ++updated.added;
  };
  std::vector<std::string> told;
  for (const Cause& cause : run.causes) {
    if (cause.as_expected) continue;
    add(EntryOf(run, cause));
    told.insert(told.end(), cause.cases.begin(), cause.cases.end());
  }
  for (const Result& result : run.results) {
    const bool listed = std::find(told.begin(), told.end(), result.seen.case_id) != told.end();
    if (!result.as_expected && IsDeviation(result.verdict) && !listed) add(EntryOf(result));
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

void UpdateFile(const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run) {
  const std::string& file = list.file();
  std::string text;
  if (Exists(file)) text = WithContext("", kHint, [&] { return ReadWholeFile(file, kLargestList); });
  const Updated updated = Update(text, list, stale, run);
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
