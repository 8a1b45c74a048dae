// reports/difference.cc: compares the causes and the verdicts of two runs.
#include "reports/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "reports/evidence.h"
#include "reports/markup.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

constexpr size_t kNamed = 3;  // most cases that a remark names

/// Producer and consumer of a pair, then the id of the case.
using CaseKey = std::tuple<std::string, std::string, std::string>;

template <typename Key, typename Value>
using Index = std::map<Key, const Value*>;

Index<CaseKey, Result> CasesByKey(const Run& run) {
  Index<CaseKey, Result> cases;
  for (const Result& result : run.results) cases[{result.producer, result.consumer, result.seen.case_id}] = &result;
  return cases;
}

Index<std::string, Cause> CausesById(const Run& run) {
  Index<std::string, Cause> causes;
  for (const Cause& cause : run.causes) causes[cause.id] = &cause;
  return causes;
}

std::string CaseName(const Result& result) {
  const std::string id = OneLine(result.seen.case_id);
  return result.producer.empty() ? id : SubjectOf(result) + ": " + id;
}

/// Whether the step from one verdict to the other makes the library, or what is known of it, worse.
bool IsWorse(Verdict before, Verdict now) {
  if (!IsJudged(now)) return before == Verdict::kPass;
  return IsDeviation(now) && (!IsDeviation(before) || Rank(now) < Rank(before));
}

/// A case that is not judged any more says nothing better.
bool IsBetter(Verdict before, Verdict now) { return IsJudged(now) && before != now && IsWorse(now, before); }

/// The present verdict, or the last one.
Verdict VerdictOf(const ChangeSeen& change) { return change.now.value_or(change.before.value_or(Verdict::kPass)); }

class Comparison {
 public:
  Comparison(const Run& before, const Run& now)
      : before_(before), now_(now), cases_before_(CasesByKey(before)), cases_now_(CasesByKey(now)) {}

  Difference Compare() {
    CompareCauses();
    CompareCases();
    for (std::vector<ChangeSeen>* changes : {&difference_.worse, &difference_.other, &difference_.better}) {
      std::stable_sort(changes->begin(), changes->end(), [](const ChangeSeen& a, const ChangeSeen& b) {
        return Rank(VerdictOf(a)) < Rank(VerdictOf(b));
      });
    }
    Remark();
    return std::move(difference_);
  }

 private:
  /// Whether a run ran a case that shows the cause in the other one. The probes find limitations in every run.
  static bool CouldShow(const Index<CaseKey, Result>& cases, const Cause& cause) {
    if (cause.cases.empty()) return true;
    return std::any_of(cases.begin(), cases.end(), [&](const auto& one) {
      return IsJudged(one.second->verdict) &&
             std::count(cause.cases.begin(), cause.cases.end(), one.second->seen.case_id) > 0;
    });
  }

  void CompareCauses() {
    const Index<std::string, Cause> before = CausesById(before_);
    const Index<std::string, Cause> now = CausesById(now_);
    for (const auto& [id, cause] : now) {
      const auto same = before.find(id);
      if (same != before.end()) {
        Note(*same->second, *cause);
        continue;
      }
      ChangeSeen change{.now = cause->verdict, .id = id, .rule = cause->rule, .sentence = Headline(now_, *cause)};
      const bool counts = IsDeviation(cause->verdict) && CouldShow(cases_before_, *cause);
      (counts ? difference_.worse : difference_.other).push_back(std::move(change));
      explained_.insert(cause->cases.begin(), cause->cases.end());
    }
    for (const auto& [id, cause] : before) {
      if (now.contains(id)) continue;
      ChangeSeen change{.before = cause->verdict, .id = id, .rule = cause->rule, .sentence = Headline(before_, *cause)};
      const bool counts = IsDeviation(cause->verdict) && CouldShow(cases_now_, *cause);
      (counts ? difference_.better : difference_.other).push_back(std::move(change));
      explained_.insert(cause->cases.begin(), cause->cases.end());
    }
  }

  void Note(const Cause& before, const Cause& now) {
    if (before.verdict == now.verdict) {
      ++difference_.same_causes;
      return;
    }
    explained_.insert(now.cases.begin(), now.cases.end());
    ListFor(before.verdict, now.verdict)
        .push_back({before.verdict, now.verdict, now.id, now.rule, Headline(now_, now)});
  }

  /// A case that is not judged any more is listed although its cause is gone: the defect may still be there.
  void CompareCases() {
    for (const auto& [key, now] : cases_now_) {
      const auto same = cases_before_.find(key);
      if (same == cases_before_.end()) continue;
      const Result& before = *same->second;
      if (before.verdict == now->verdict) {
        ++difference_.same_cases;
        continue;
      }
      if (IsJudged(now->verdict) && explained_.contains(now->seen.case_id)) continue;
      ListFor(before.verdict, now->verdict)
          .push_back({before.verdict, now->verdict, CaseName(*now), Joined(RulesNamed(*now), " "), Sentence(*now)});
    }
  }

  std::vector<ChangeSeen>& ListFor(Verdict before, Verdict now) {
    if (IsWorse(before, now)) return difference_.worse;
    return IsBetter(before, now) ? difference_.better : difference_.other;
  }

  void Remark() {
    std::vector<std::string>& remarks = difference_.remarks;
    const auto only_in = [&](const Index<CaseKey, Result>& cases, const Index<CaseKey, Result>& others,
                             std::string_view run) {
      std::vector<std::string> alone;
      for (const auto& [key, result] : cases) {
        if (!others.contains(key)) alone.push_back(CaseName(*result));
      }
      if (alone.empty()) return;
      const size_t all = alone.size();
      alone.resize(std::min(all, kNamed));
      remarks.push_back(fmt::format("only the {} run has {}: {}{}.", run, Plural(static_cast<int64_t>(all), "case"),
                                    Joined(alone, ", "),
                                    all > kNamed ? fmt::format(", and {} more", all - kNamed) : ""));
    };
    only_in(cases_before_, cases_now_, "old");
    only_in(cases_now_, cases_before_, "new");
    const auto differs = [&](std::string_view what, const auto& before, const auto& now) {
      if (before != now) remarks.push_back(fmt::format("{}: {} in the old run, {} in the new one.", what, before, now));
    };
    differs("library", OneLine(before_.header.library), OneLine(now_.header.library));
    differs("seed", before_.header.seed, now_.header.seed);
    differs("examples of each case", before_.header.examples, now_.header.examples);
    differs("dlpack-cts", OneLine(before_.header.program_version), OneLine(now_.header.program_version));
    for (const auto& [run, word] : {std::pair(&before_, "old"), std::pair(&now_, "new")}) {
      if (run->header.provisional) remarks.push_back(fmt::format("the {} run did not end, so it has no causes.", word));
      if (!run->header.provisional && !run->footer.complete)
        remarks.push_back(fmt::format("the {} run ended early: some cases did not run.", word));
    }
  }

  const Run& before_;
  const Run& now_;
  Index<CaseKey, Result> cases_before_;
  Index<CaseKey, Result> cases_now_;
  std::set<std::string> explained_;  // ids of cases that show a cause which is listed
  Difference difference_;
};

/// "new", "gone", "was WARN".
std::string WasText(const ChangeSeen& change) {
  if (!change.before) return "new";
  return change.now ? fmt::format("was {}", ToText(*change.before)) : "gone";
}

std::string RunText(const Run& run) {
  return fmt::format("{}, {}, seed {}", NameOf(run.header.library, run.header.library_version),
                     OneLine(run.header.started), run.header.seed);
}

std::string Summary(const Difference& difference) {
  return fmt::format("{} worse, {} better, {} otherwise different; {} and {} are the same.", difference.worse.size(),
                     difference.better.size(), difference.other.size(), Plural(difference.same_causes, "cause"),
                     Plural(difference.same_cases, "case"));
}

using NamedChanges = std::pair<std::string_view, const std::vector<ChangeSeen>*>;

/// The lists with their names, the worse changes first; those without content are left out.
std::vector<NamedChanges> ListsOf(const Difference& difference) {
  std::vector<NamedChanges> lists = {
      {"Worse", &difference.worse}, {"Different", &difference.other}, {"Better", &difference.better}};
  std::erase_if(lists, [](const auto& list) { return list.second->empty(); });
  return lists;
}

}  // namespace

Difference DifferenceOf(const Run& before, const Run& now) { return Comparison(before, now).Compare(); }

std::string DifferenceText(const Run& before, const Run& now, const Difference& difference, const TextStyle& style) {
  constexpr size_t kIndent = 12;
  Terminal page;
  const auto fold = [&](std::string_view text, size_t first, size_t indent) {
    return Terminal::AlreadySafe(Folded(OneLine(text), first, indent, style.width));
  };
  page << "old  " << fold(RunText(before), 5, 5) << "\nnew  " << fold(RunText(now), 5, 5) << "\n"
       << fold(Summary(difference), 0, 0) << "\n";
  for (const std::string& remark : difference.remarks) page << "  " << fold(remark, 2, 4) << "\n";
  std::vector<NamedChanges> lists = ListsOf(difference);
  std::reverse(lists.begin(), lists.end());  // the last lines of a long output are the ones that are seen
  for (const auto& [name, changes] : lists) {
    page << Terminal("\n{}:\n", name);
    for (const ChangeSeen& change : *changes) {
      const std::string rule = change.rule.empty() ? "" : "  [" + change.rule + "]";
      page << Terminal("  {:<9} ", ToText(VerdictOf(change)))
           << fold(fmt::format("{} ({}){}", change.id, WasText(change), rule), kIndent, kIndent) << "\n";
      if (!change.sentence.empty())
        page << std::string(kIndent, ' ') << fold(change.sentence, kIndent, kIndent) << "\n";
    }
  }
  return page.text();
}

std::string DifferenceMarkdown(const Run& before, const Run& now, const Difference& difference) {
  Markdown page;
  page << "## What changed\n\n"
       << Markdown("Old: {}. New: {}.\n\n{}\n", RunText(before), RunText(now), Summary(difference));
  for (const std::string& remark : difference.remarks) page << Markdown("\n- {}", remark);
  if (!difference.remarks.empty()) page << "\n";
  for (const auto& [name, changes] : ListsOf(difference)) {
    page << Markdown("\n### {}\n\n| verdict | | where | rule | |\n|---|---|---|---|---|\n", name);
    for (const ChangeSeen& change : *changes) {
      page << Markdown("| {} | {} | {} | {} | {} |\n", ToText(VerdictOf(change)), WasText(change),
                       Markdown::AlreadySafe(MarkdownCode(change.id, true)), change.rule, change.sentence);
    }
  }
  return page.text();
}

}  // namespace dlpack_cts
