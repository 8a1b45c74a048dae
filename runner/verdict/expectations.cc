// runner/verdict/expectations.cc: compares results with the known deviations.
#include "runner/verdict/expectations.h"

#include <algorithm>
#include <filesystem>

#include "base/version.h"
#include "results/limit.h"
#include "results/tally.h"
#include "runner/base/glob.h"

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

/// In a pair: whether the cause is a defect of the library that the entry belongs to. One that no library shows alone
/// may be a defect of either, so an entry has to name the pair.
bool MayList(const Expectation& entry, const Cause& cause) {
  if (!entry.owner) return true;
  const std::optional<PairRole> accused = AccusedIn(cause);
  return accused ? accused == entry.owner : !entry.partners.empty();
}

/// " for arrays from mlx", or "".
std::string PairOf(const Expectation& entry) {
  if (!entry.owner) return "";
  return (*entry.owner == PairRole::kConsumer ? " for arrays from " : " for arrays that go to ") + entry.partner;
}

}  // namespace

const std::string& Expectations::VersionFor(const Expectation& entry, const std::string& library_version) const {
  return entry.owner == PairRole::kConsumer ? consumer_version_ : library_version;
}

const Expectation* Expectations::Find(const Cause& cause, const std::string& library_version) const {
  const auto found = std::ranges::find_if(entries_, [&](const Expectation& entry) {
    return !entry.cause.empty() && Matches(entry.cause, cause.id) && entry.verdict == cause.verdict &&
           MayList(entry, cause) && VersionMatches(entry.versions, VersionFor(entry, library_version));
  });
  return found == entries_.end() ? nullptr : &*found;
}

const Expectation* Expectations::Find(const Result& result) const {
  const auto found = std::ranges::find_if(entries_, [&](const Expectation& entry) {
    return entry.cause.empty() && Names(entry, result) &&
           VersionMatches(entry.versions, VersionFor(entry, result.library_version)) &&
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
    if (entry.included || (entry.owner && entry.partners.empty())) continue;
    const std::optional<std::string> why = WhyStale(entry, results, library_version, known);
    if (why) stale.push_back({i, entry.file + ":" + std::to_string(entry.line) + ": " + *why});
  }
  return stale;
}

std::optional<std::string> Expectations::WhyStale(const Expectation& entry, const std::vector<Result>& results,
                                                  const std::string& library_version, const KnownNames& known) const {
  const std::string& version = VersionFor(entry, library_version);
  const std::string listed = " is listed as " + std::string(ToText(entry.verdict));
  if (!entry.cause.empty()) {
    if (entry.met || entry.seldom) return std::nullopt;
    // Only a run of all cases with a complete sweep is sure to show every cause. The probes show each limitation.
    const bool shown = !known.selected && (known.swept || entry.cause.starts_with(kLimitPrefix));
    if (!shown || !VersionMatches(entry.versions, version)) return std::nullopt;
    return "the cause " + entry.cause + listed + PairOf(entry) + ", but did not occur in version " + version;
  }
  const std::string& pattern = entry.cases.empty() ? entry.rule : entry.cases;
  const std::vector<std::string>& names = entry.cases.empty() ? known.rules : known.cases;
  if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return Matches(pattern, name); }))
    return std::string("no ") + (entry.cases.empty() ? "rule" : "case") + " matches " + pattern;
  if (entry.met || !VersionMatches(entry.versions, version)) return std::nullopt;
  // The case that shows it may not be selected.
  const bool many = entry.cases.empty() || entry.cases.find_first_of("*?[") != std::string::npos;
  if (known.selected && many) return std::nullopt;
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
  if (seen.empty()) return std::nullopt;
  return pattern + listed + PairOf(entry) + " (" + entry.message + "), but gave " + seen + " in version " + version;
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
