// reports/verdict_sentence.cc: builds the verdict sentence from counts of verdicts, levels and rules.
#include "reports/verdict_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "reports/outline.h"
#include "reports/rules_judged.h"
#include "reports/text.h"
#include "results/tally.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

bool IsGrave(Verdict verdict) { return IsDeviation(verdict) && verdict != Verdict::kWarn; }

std::string SubjectsOf(const Run& run) {
  if (IsOfPair(run)) return "The exchange " + SubjectOf(run.results.front());
  return NameOf(run.header.library, run.header.library_version);
}

bool IsGrave(const Run& run, const Cause& cause) { return IsGrave(cause.verdict) && !IsOnInvalidInput(run, cause); }

/// A verdict in the words of the sentence.
struct Fault {
  Verdict verdict;
  std::string_view one;
  std::string_view several;
};
constexpr Fault kFaults[] = {{Verdict::kUnsafe, "memory fault", "memory faults"},
                             {Verdict::kCrash, "crash", "crashes"},
                             {Verdict::kLeak, "leak", "leaks"},
                             {Verdict::kTimeout, "timeout", "timeouts"}};

bool IsFault(Verdict verdict) { return std::ranges::find(kFaults, verdict, &Fault::verdict) != std::end(kFaults); }

/// FAIL or WARN.
bool IsRuleBroken(Verdict verdict) { return IsDeviation(verdict) && !IsFault(verdict); }

/// "1 memory fault, 2 crashes and 1 leak".
std::string InWords(std::vector<std::string> parts) {
  if (parts.size() < 2) return Joined(parts, "");
  const std::string last = parts.back();
  parts.pop_back();
  return Joined(parts, ", ") + " and " + last;
}

/// "1 memory fault", "2 crashes".
std::vector<std::string> FaultsOf(const Tally& tally) {
  std::vector<std::string> parts;
  for (const Fault& fault : kFaults) {
    const int64_t number = tally.of(fault.verdict);
    if (number > 0) parts.push_back(fmt::format("{} {}", number, number == 1 ? fault.one : fault.several));
  }
  return parts;
}

/// What the FAIL of a case puts at stake, by the first violated rule that the catalogue knows.
std::string_view StakeOf(const Result& result, const ReportContext& context) {
  for (const std::string& id : RulesNamed(result)) {
    const auto rule = std::ranges::find(context.rules, id, &RuleText::id);
    if (rule != context.rules.end()) return rule->stake;
  }
  return "";
}

/// "memory at stake in 6 of them, values in 3": what makes a FAIL unsafe; empty without such.
std::string StakesText(const Run& run, const ReportContext& context) {
  constexpr std::string_view kUnsafe[] = {"memory", "values", "ownership"};
  std::map<std::string_view, int64_t> numbers;
  for (const Result& result : run.results) {
    if (!result.hostile && result.verdict == Verdict::kFail) ++numbers[StakeOf(result, context)];
  }
  std::string text;
  for (const std::string_view stake : kUnsafe) {
    const int64_t number = numbers[stake];
    if (number == 0) continue;
    text += text.empty() ? fmt::format("{} at stake in {} of them", stake, number)
                         : fmt::format(", {} in {}", stake, number);
  }
  return text;
}

/// "1 MUST", "2 MUST, 1 implied".
std::string LevelsText(const std::vector<const Result*>& results) {
  std::map<Level, int64_t> numbers;
  for (const Result* result : results) ++numbers[result->level];
  std::vector<std::string> parts;
  for (const auto& [level, number] : numbers) {
    const std::string_view word = level == Level::kImplied ? "implied" : ToText(level);
    parts.push_back(fmt::format("{} {}", number, word));
  }
  return Joined(parts, ", ");
}

/// "2 known deviations (WARN: 1 MUST, 1 SHOULD)", "3 other deviations, 1 unexpected (FAIL: 1 MUST; WARN: 2 SHOULD)".
std::string DeviationsText(const Run& run, std::string_view other) {
  std::map<Verdict, std::vector<const Result*>> by_verdict;
  int64_t number = 0;
  int64_t known = 0;
  int64_t uncounted = 0;
  for (const Result& result : run.results) {
    if (result.hostile || !IsRuleBroken(result.verdict)) continue;
    by_verdict[result.verdict].push_back(&result);
    ++number;
    known += IsListed(result);
    uncounted += IsUncounted(result);
  }
  if (number == 0) return fmt::format("no {}deviations", other);
  std::vector<std::string> groups;
  for (const Verdict verdict : VerdictOrder()) {
    const auto found = by_verdict.find(verdict);
    if (found != by_verdict.end()) groups.push_back(fmt::format("{}: {}", ToText(verdict), LevelsText(found->second)));
  }
  const int64_t unexpected = number - known - uncounted;
  const std::string_view word = known == number ? "known " : unexpected == number ? "unexpected " : "";
  std::string some = word.empty() && unexpected > 0 ? fmt::format(", {} unexpected", unexpected) : "";
  if (uncounted > 0) some += fmt::format(", {} not counted", uncounted);
  const std::string noun = fmt::format("{}{}deviation", other, word);
  return fmt::format("{}{} ({})", Plural(number, noun), some, Joined(groups, "; "));
}

/// "1 crash and 1 other deviation on invalid input"; empty without deviations.
std::string InvalidInputText(const Tally& invalid) {
  std::vector<std::string> parts = FaultsOf(invalid);
  const int64_t broken = invalid.of(Verdict::kFail) + invalid.of(Verdict::kWarn);
  if (broken > 0) parts.push_back(Plural(broken, parts.empty() ? "deviation" : "other deviation"));
  return parts.empty() ? "" : InWords(parts) + " on invalid input";
}

/// "206 of 344 rules judged here (no CUDA device, imports not claimed)"; empty without a catalogue.
std::string RulesText(const RulesJudged& rules) {
  if (rules.all == 0) return "";
  const std::string why = WhyNotText(rules);
  return fmt::format("{} of {} judged here{}", rules.judged, Plural(rules.all, "rule"),
                     why.empty() ? "" : " (" + why + ")");
}

/// "1 cause is FAIL or worse", where no case with valid input is; otherwise empty.
std::string OnlyCausesText(const Run& run, const Tally& tally) {
  const int64_t grave = std::ranges::count_if(run.causes, [&](const Cause& cause) { return IsGrave(run, cause); });
  if (grave == 0 || !FaultsOf(tally).empty() || tally.of(Verdict::kFail) > 0) return "";
  return Plural(grave, "cause") + (grave == 1 ? " is" : " are") + " FAIL or worse";
}

/// What the cases with valid input show, and what only a cause shows.
std::vector<std::string> BehaviourOf(const Run& run, const ReportContext& context, const Tally& tally) {
  const std::vector<std::string> faults = FaultsOf(tally);
  const std::string stakes = StakesText(run, context);
  const std::string only_causes = OnlyCausesText(run, tally);
  std::vector<std::string> parts;
  if (!faults.empty()) parts.push_back(InWords(faults));
  if (faults.empty() && stakes.empty() && only_causes.empty()) parts.emplace_back("no unsafe behaviour");
  parts.push_back(DeviationsText(run, faults.empty() ? "" : "other "));
  if (!stakes.empty()) parts.push_back(stakes);
  if (!only_causes.empty()) parts.push_back(only_causes);
  return parts;
}

}  // namespace

bool Conforms(const Run& run) {
  const bool failed = std::any_of(run.results.begin(), run.results.end(),
                                  [](const Result& result) { return !result.hostile && IsGrave(result.verdict); });
  return !failed &&
         std::none_of(run.causes.begin(), run.causes.end(), [&](const Cause& cause) { return IsGrave(run, cause); });
}

std::string VerdictSentence(const Run& run, const ReportContext& context) {
  const Tally tally = Count(run.results, Scope::kConformance);
  const int64_t judged = tally.total - tally.of(Verdict::kSkip) - tally.of(Verdict::kBlocked);
  const std::string name = SubjectsOf(run);
  if (run.results.size() == 1) {
    const Result& result = run.results.front();
    return fmt::format("{}: the case {} is {}.", name, OneLine(result.seen.case_id), ToText(result.verdict));
  }
  const RulesJudged rules = RulesJudgedOf(run, context);
  if (judged == 0) {
    const std::string why = WhyNotText(rules);
    return fmt::format("{}: no case could be judged{}.", name, why.empty() ? "" : " (" + why + ")");
  }
  std::vector<std::string> parts = BehaviourOf(run, context, tally);
  for (const std::string& part : {InvalidInputText(Count(run.results, Scope::kHostile)), RulesText(rules)}) {
    if (!part.empty()) parts.push_back(part);
  }
  const std::string_view word = !Conforms(run)          ? "does not conform to DLPack"
                                : EarlyEnd(run).empty() ? "conforms to DLPack"
                                                        : "conforms to DLPack so far";
  return fmt::format("{} {}: {}.", name, word, Joined(parts, "; "));
}

std::string VerdictInShort(const Run& run) {
  const Tally tally = Count(run.results, Scope::kConformance);
  if (tally.total == tally.of(Verdict::kSkip) + tally.of(Verdict::kBlocked)) return "not judged";
  std::vector<std::string> parts = FaultsOf(tally);
  for (const Verdict verdict : {Verdict::kFail, Verdict::kWarn}) {
    if (tally.of(verdict) > 0) parts.push_back(fmt::format("{} {}", tally.of(verdict), ToText(verdict)));
  }
  if (const std::string causes = OnlyCausesText(run, tally); !causes.empty()) parts.push_back(causes);
  return fmt::format("{}: {}", Conforms(run) ? "conforms" : "does not conform",
                     parts.empty() ? "no deviation" : InWords(parts));
}

}  // namespace dlpack_cts
