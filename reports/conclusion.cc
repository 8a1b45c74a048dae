// reports/conclusion.cc: counts deviations, and selects the one to look at first.
#include "reports/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "reports/outline.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

bool IsGrave(Verdict verdict) { return IsDeviation(verdict) && verdict != Verdict::kWarn; }

/// Only the deviations of a tally: "2 FAIL, 1 WARN"; empty without deviations.
std::string DeviationCounts(const Tally& tally) {
  Tally deviations;
  for (const Verdict verdict : VerdictOrder()) {
    if (IsDeviation(verdict)) deviations.counts[static_cast<size_t>(verdict)] = tally.of(verdict);
  }
  const std::string text = CountsText(deviations);
  return text == "none" ? "" : text;
}

std::string SubjectsOf(const Run& run) {
  if (IsOfPair(run)) return "The exchange " + SubjectOf(run.results.front());
  return NameOf(run.header.library, run.header.library_version);
}

bool IsGrave(const Run& run, const Cause& cause) { return IsGrave(cause.verdict) && !IsOnInvalidInput(run, cause); }

/// A case may report a cause with a less severe verdict than that of the cause, so both count.
bool Conforms(const Run& run) {
  const bool failed = std::any_of(run.results.begin(), run.results.end(),
                                  [](const Result& result) { return !result.hostile && IsGrave(result.verdict); });
  return !failed &&
         std::none_of(run.causes.begin(), run.causes.end(), [&](const Cause& cause) { return IsGrave(run, cause); });
}

std::string VerdictSentence(const Run& run, const Tally& tally, int64_t judged) {
  const std::string name = SubjectsOf(run);
  if (run.results.size() == 1) {
    const Result& result = run.results.front();
    return fmt::format("{}: the case {} is {}.", name, OneLine(result.seen.case_id), ToText(result.verdict));
  }
  if (judged == 0) return fmt::format("{}: no case could be judged.", name);
  const std::string counts = DeviationCounts(tally);
  const std::string cases = Plural(judged, "judged case");
  if (Conforms(run)) {
    return counts.empty() ? fmt::format("{} conforms to DLPack: no deviation in {}.", name, cases)
                          : fmt::format("{} conforms to DLPack, with {} in {}.", name, counts, cases);
  }
  if (!counts.empty()) return fmt::format("{} does not conform to DLPack: {} in {}.", name, counts, cases);
  const int64_t grave =
      std::count_if(run.causes.begin(), run.causes.end(), [&](const Cause& cause) { return IsGrave(run, cause); });
  return fmt::format("{} does not conform to DLPack: no case failed in {}, but {} FAIL or worse.", name, cases,
                     Plural(grave, "cause") + (grave == 1 ? " is" : " are"));
}

/// The worst deviation, of results and causes.
struct Worst {
  Verdict verdict;
  std::string rule;
  std::string sentence;
  std::string next;
};

std::string CommandOf(const Result& result, const std::string& folder) {
  return result.reproducer.empty() ? result.replay : "python3 " + folder + result.reproducer;
}

std::optional<Worst> WorstOf(const Run& run, bool as_expected, bool invalid_input, const std::string& folder) {
  std::optional<Worst> worst;
  const auto offer = [&](Worst one) {
    if (!worst || Rank(one.verdict) < Rank(worst->verdict)) worst = std::move(one);
  };
  for (const Cause& cause : run.causes) {
    if (!IsDeviation(cause.verdict) || cause.as_expected != as_expected) continue;
    if (IsOnInvalidInput(run, cause) == invalid_input)
      offer({cause.verdict, cause.rule, Headline(run, cause), cause.replay});
  }
  for (const Result& result : run.results) {
    if (!IsDeviation(result.verdict) || result.as_expected != as_expected || result.hostile != invalid_input) continue;
    const std::vector<std::string>& rules = RulesNamed(result);
    offer({result.verdict, rules.empty() ? "" : rules.front(), result.seen.message, CommandOf(result, folder)});
  }
  return worst;
}

std::string RuleLine(const ReportContext& context, const std::string& id) {
  const auto found =
      std::find_if(context.rules.begin(), context.rules.end(), [&](const auto& rule) { return rule.id == id; });
  return found == context.rules.end() ? id : id + ": " + found->requirement;
}

/// How many rules of the catalogue a case that was judged tests.
int64_t RulesJudged(const Run& run, const ReportContext& context) {
  std::set<std::string_view> judged;
  for (const Result& result : run.results) {
    if (IsJudged(result.verdict)) judged.insert(result.rules.begin(), result.rules.end());
  }
  return std::count_if(context.rules.begin(), context.rules.end(),
                       [&](const RuleText& rule) { return judged.contains(rule.id); });
}

}  // namespace

std::string_view WordFor(const Run& run) {
  if (run.header.provisional || !run.footer.complete) return "incomplete";
  const Tally tally = Count(run.results, Scope::kConformance);
  if (tally.total == tally.of(Verdict::kSkip) + tally.of(Verdict::kBlocked)) return "not judged";
  return Conforms(run) ? "conforms" : "does not conform";
}

Conclusion ConclusionOf(const Run& run, const ReportContext& context, const std::string& folder) {
  const Tally tally = Count(run.results, Scope::kConformance);
  const Tally invalid = Count(run.results, Scope::kHostile);
  const int64_t not_judged = tally.of(Verdict::kSkip) + tally.of(Verdict::kBlocked);
  const int64_t unexpected = CountUnexpected(run);
  const int64_t stale = static_cast<int64_t>(run.footer.stale.size());
  Conclusion conclusion;
  conclusion.verdict = VerdictSentence(run, tally, tally.total - not_judged);
  const std::string_view early = EarlyEnd(run);
  if (!early.empty()) conclusion.details += fmt::format("{}, so this result is incomplete. ", early);
  const int64_t known = tally.listed + invalid.listed;
  conclusion.details +=
      fmt::format("{} known, {} unexpected.", Plural(known, "deviation") + (known == 1 ? " is" : " are"),
                  fmt::format("{} {}", unexpected, unexpected == 1 ? "is" : "are"));
  if (stale > 0)
    conclusion.details +=
        fmt::format(" {} no longer {}.", Plural(stale, "listed deviation"), stale == 1 ? "occurs" : "occur");
  const std::string on_invalid = DeviationCounts(invalid);
  if (!on_invalid.empty()) conclusion.details += fmt::format(" On invalid input: {}.", on_invalid);
  if (not_judged > 0)
    conclusion.details +=
        fmt::format(" {} not judged.", Plural(not_judged, "case") + (not_judged == 1 ? " was" : " were"));
  if (run.results.size() > 1 && !context.rules.empty()) {
    conclusion.details += fmt::format(" {} of {} were judged.", RulesJudged(run, context),
                                      Plural(static_cast<int64_t>(context.rules.size()), "rule"));
  }

  std::optional<Worst> worst = WorstOf(run, false, false, folder);
  if (!worst) worst = WorstOf(run, false, true, folder);
  const bool is_new = worst.has_value();
  if (!worst) worst = WorstOf(run, true, false, folder);
  if (!worst) worst = WorstOf(run, true, true, folder);
  if (worst) {
    conclusion.rows.push_back({"worst", fmt::format("{}: {}", ToText(worst->verdict), worst->sentence)});
    if (!worst->rule.empty()) conclusion.rows.push_back({"rule", RuleLine(context, worst->rule)});
  }
  const bool again = run.results.size() == 1 && worst && worst->next == run.results.front().replay;
  if (is_new && again) {
    conclusion.rows.push_back({"next", "fix the library, then run the same command again"});
  } else if (is_new) {
    if (!worst->next.empty()) conclusion.rows.push_back({"run next", worst->next, true});
  } else if (unexpected > 0 || stale > 0) {
    conclusion.rows.push_back({"next", "run the same command with --update, which corrects expectations.toml"});
  } else if (!early.empty()) {
    conclusion.rows.push_back({"next", "run the same command again to the end"});
  } else {
    conclusion.rows.push_back({"next", known > 0 ? "no action: every deviation is known" : "no action"});
  }
  return conclusion;
}

}  // namespace dlpack_cts
