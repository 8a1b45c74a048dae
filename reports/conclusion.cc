// reports/conclusion.cc: counts deviations, and selects the one to look at first.
#include "reports/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "reports/outline.h"
#include "reports/text.h"
#include "reports/verdict_sentence.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

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

std::string WhyNoAction(int64_t known, int64_t uncounted) {
  return known == 0 && uncounted == 0 ? "no action"
         : known == 0                 ? "no action: no deviation counts"
         : uncounted == 0             ? "no action: every deviation is known"
                                      : "no action: every deviation that counts is known";
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
  conclusion.verdict = VerdictSentence(run, context);
  const std::string_view early = EarlyEnd(run);
  if (!early.empty()) conclusion.details += fmt::format("{}, so this result is incomplete. ", early);
  const int64_t known = tally.listed + invalid.listed;
  const int64_t uncounted = CountUncounted(run);
  conclusion.details +=
      fmt::format("{} known, {} unexpected{}.", Plural(known, "deviation") + (known == 1 ? " is" : " are"),
                  fmt::format("{} {}", unexpected, unexpected == 1 ? "is" : "are"),
                  uncounted == 0 ? "" : fmt::format(", {} {} not count", uncounted, uncounted == 1 ? "does" : "do"));
  if (stale > 0)
    conclusion.details +=
        fmt::format(" {} no longer {}.", Plural(stale, "listed deviation"), stale == 1 ? "occurs" : "occur");
  if (run.results.size() > 1)
    conclusion.details += fmt::format(" {} of {} were judged.", tally.total - not_judged, Plural(tally.total, "case"));

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
    conclusion.rows.push_back({"next", WhyNoAction(known, uncounted)});
  }
  return conclusion;
}

}  // namespace dlpack_cts
