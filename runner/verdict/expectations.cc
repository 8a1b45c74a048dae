// runner/verdict/expectations.cc: compares results with the known deviations.
#include "runner/verdict/expectations.h"

#include <algorithm>
#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "base/version.h"
#include "results/limit.h"
#include "results/tally.h"
#include "runner/base/glob.h"
#include "runner/base/toml.h"

namespace dlpack_cts::runner {
namespace {

bool Names(const Expectation& entry, const Result& result) {
  if (!entry.cases.empty()) return Matches(entry.cases, result.seen.case_id);
  const auto& rules = RulesNamed(result);
  return std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) { return Matches(entry.rule, rule); });
}

/// Whether the result could have been the listed deviation.
bool Tests(const Expectation& entry, const Result& result) {
  if (!entry.cases.empty()) return Matches(entry.cases, result.seen.case_id);
  return std::any_of(result.rules.begin(), result.rules.end(),
                     [&](const std::string& rule) { return Matches(entry.rule, rule); });
}

}  // namespace

Expectations Expectations::Read(const std::string& file) {
  Expectations expectations;
  expectations.file_ = file;
  if (!Exists(file)) return expectations;
  const toml::table parsed = ParseToml(file);
  const TomlTable whole(parsed, file);
  whole.AllowOnly({"expect", "include"});
  const toml::array* list = parsed["expect"].as_array();
  if (list == nullptr && parsed.contains("expect")) {
    throw Failure(file + ": \"expect\" is not a list of tables", "begin each entry with a line [[expect]]");
  }
  for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::node& node = *list->get(i);
    if (!node.is_table()) {
      throw Failure(file + ": an entry of \"expect\" is not a table", "begin each entry with a line [[expect]]");
    }
    const TomlTable table(*node.as_table(), file);
    table.AllowOnly({"case", "rule", "cause", "verdict", "message", "versions", "link", "why", "seldom"});
    Expectation entry;
    entry.cases = table.TextOr("case", "");
    entry.rule = table.TextOr("rule", "");
    entry.cause = table.TextOr("cause", "");
    const int given = (entry.cases.empty() ? 0 : 1) + (entry.rule.empty() ? 0 : 1) + (entry.cause.empty() ? 0 : 1);
    if (given != 1) {
      table.Wrong("case", "or \"rule\" or \"cause\" must be given, and only one of them",
                  "give exactly one of the three");
    }
    const std::string verdict = table.Text("verdict");
    const std::optional<Verdict> known = FromText<Verdict>(verdict);
    if (!known) {
      table.Wrong("verdict", "is \"" + verdict + "\", which is not a verdict",
                  "use FAIL, WARN, CRASH, TIMEOUT, LEAK or UNSAFE");
    }
    entry.verdict = *known;
    entry.message = entry.cause.empty() ? table.Text("message") : table.TextOr("message", "");
    if (!entry.cause.empty() && !entry.message.empty()) {
      table.Wrong("message", "cannot be used with \"cause\"", "remove it: the id identifies the cause");
    }
    entry.versions = table.TextOr("versions", "");
    const std::string wrong = WrongCondition(entry.versions);
    if (!wrong.empty()) {
      table.Wrong("versions", "holds \"" + wrong + "\", which is not a condition",
                  "write conditions like \">=2.0,<3\"");
    }
    entry.link = table.TextOr("link", "");
    entry.why = table.Text("why");
    if (entry.why.empty()) table.Wrong("why", "is empty, but a listed deviation needs a reason");
    entry.seldom = table.BoolOr("seldom", false);
    if (entry.seldom && entry.cause.empty()) {
      table.Wrong("seldom", "can only be used with \"cause\"", "remove it, or list the cause instead");
    }
    entry.line = entry.last_line = static_cast<int>(node.source().begin.line);
    for (const auto& [key, value] : *node.as_table()) {
      entry.last_line = std::max(entry.last_line, static_cast<int>(value.source().end.line));
    }
    expectations.entries_.push_back(std::move(entry));
  }
  // The first entry that matches applies, so those of the file itself come first.
  for (const std::string& path : whole.TextsOr("include", {})) {
    const std::string included = (std::filesystem::path(file).parent_path() / path).string();
    if (!Exists(included))
      whole.Wrong("include", "names " + path + ", which does not exist", "write a path from this file");
    // Files that include each other would be read without end.
    if (ParseToml(included).contains("include"))
      whole.Wrong("include", "names " + path + ", which includes other files itself", "include those files here");
    const Expectations others = Read(included);
    for (Expectation entry : others.entries()) {
      entry.included = true;
      expectations.entries_.push_back(std::move(entry));
    }
  }
  return expectations;
}

bool Expectations::ListsLimitations() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Expectation& entry) {
    return entry.verdict == Verdict::kNote && entry.cause.starts_with(kLimitPrefix);
  });
}

const Expectation* Expectations::Find(const Cause& cause, const std::string& library_version) const {
  const auto found = std::ranges::find_if(entries_, [&](const Expectation& entry) {
    return !entry.cause.empty() && Matches(entry.cause, cause.id) && entry.verdict == cause.verdict &&
           VersionMatches(entry.versions, library_version);
  });
  return found == entries_.end() ? nullptr : &*found;
}

const Expectation* Expectations::Find(const Result& result) const {
  const auto found = std::ranges::find_if(entries_, [&](const Expectation& entry) {
    return entry.cause.empty() && Names(entry, result) && VersionMatches(entry.versions, result.library_version) &&
           result.verdict == entry.verdict && result.seen.message.starts_with(entry.message);
  });
  return found == entries_.end() ? nullptr : &*found;
}

const Expectation* Expectations::FindAny(const Cause& cause, const std::string& library_version) const {
  if (const Expectation* const by_id = Find(cause, library_version)) return by_id;
  Result result;
  result.library_version = library_version;
  result.verdict = cause.verdict;
  result.rules = result.breached = {cause.rule};
  result.seen.message = cause.message;
  std::vector<std::string> cases = cause.cases;
  cases.push_back(cause.case_id);
  for (const std::string& case_id : cases) {
    result.seen.case_id = case_id;
    if (const Expectation* const entry = Find(result)) return entry;
  }
  return nullptr;
}

void Expectations::Apply(Cause& cause, const std::string& library_version) {
  const Expectation* const entry = Find(cause, library_version);
  if (entry == nullptr) return;
  Meet(entry);
  cause.expectation = entry->why;
}

void Expectations::Apply(Result& result) {
  const Expectation* const entry = Find(result);
  result.as_expected = entry != nullptr || !IsDeviation(result.verdict);
  if (entry == nullptr) return;
  Meet(entry);
  result.expectation = entry->why;
}

void Expectations::Meet(const Expectation* entry) { entries_[static_cast<size_t>(entry - entries_.data())].met = true; }

std::vector<StaleEntry> Expectations::Stale(const std::vector<Result>& results, const std::string& library_version,
                                            const KnownNames& known) const {
  std::vector<StaleEntry> stale;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Expectation& entry = entries_[i];
    if (entry.included) continue;
    const std::string& pattern = entry.cases.empty() ? entry.rule : entry.cases;
    const std::string where = file_ + ":" + std::to_string(entry.line) + ": ";
    if (!entry.cause.empty()) {
      if (entry.met || entry.seldom) continue;
      // Only a run of all cases with a complete sweep is sure to show every cause. The probes show each limitation.
      const bool shown = !known.selected && (known.swept || entry.cause.starts_with(kLimitPrefix));
      if (!shown || !VersionMatches(entry.versions, library_version)) continue;
      stale.push_back({i, where + "the cause " + entry.cause + " is listed as " + std::string(ToText(entry.verdict)) +
                              ", but did not occur in version " + library_version});
      continue;
    }
    const std::vector<std::string>& names = entry.cases.empty() ? known.rules : known.cases;
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return Matches(pattern, name); })) {
      stale.push_back({i, where + "no " + (entry.cases.empty() ? "rule" : "case") + " matches " + pattern});
      continue;
    }
    if (entry.met || !VersionMatches(entry.versions, library_version)) continue;
    // The case that shows it may not be selected.
    const bool many = entry.cases.empty() || entry.cases.find_first_of("*?[") != std::string::npos;
    if (known.selected && many) continue;
    // An entry whose cases did not run is not stale.
    std::string seen;
    for (const Result& result : results) {
      // SKIP and BLOCKED do not show whether the deviation still exists.
      if (!IsJudged(result.verdict)) continue;
      // A case reports one deviation: another listed deviation may mask this one.
      const bool fits = result.verdict == entry.verdict && result.seen.message.starts_with(entry.message);
      if (result.as_expected && IsDeviation(result.verdict) && !fits) continue;
      if (Tests(entry, result) && seen.empty()) seen = "no such violation";
      if (!Names(entry, result)) continue;
      seen = ToText(result.verdict);
      if (!result.seen.message.empty()) seen += " (" + result.seen.message + ")";
    }
    if (seen.empty()) continue;
    stale.push_back({i, where + pattern + " is listed as " + std::string(ToText(entry.verdict)) + " (" + entry.message +
                            "), but gave " + seen + " in version " + library_version});
  }
  return stale;
}

std::vector<UnmetEntry> Expectations::Unmet(const std::vector<StaleEntry>& stale) const {
  std::vector<UnmetEntry> unmet;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].met || entries_[i].included) continue;
    const auto same = std::ranges::find(stale, i, &StaleEntry::entry);
    // The folder may have another name on another machine.
    const std::string name = std::filesystem::path(file_).filename();
    unmet.push_back({name + ":" + std::to_string(entries_[i].line), same == stale.end() ? "" : same->sentence});
  }
  return unmet;
}

}  // namespace dlpack_cts::runner
