// reports/markdown.cc: writes a run as a report in Markdown.
#include "reports/markdown.h"

#include <fmt/format.h>

#include <map>

#include "reports/conclusion.h"
#include "reports/evidence.h"
#include "reports/limitations.h"
#include "reports/markup.h"
#include "reports/outline.h"
#include "reports/rule_page.h"
#include "reports/rule_view.h"
#include "reports/script.h"
#include "reports/sources.h"
#include "reports/text.h"
#include "results/tally.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

Markdown Code(std::string_view text) { return Markdown::AlreadySafe(MarkdownCode(text)); }
Markdown CodeInTable(std::string_view text) { return Markdown::AlreadySafe(MarkdownCode(text, true)); }

/// A remark behind a title.
Markdown If(bool holds, std::string_view remark) { return holds ? Markdown(" ({})", remark) : Markdown(); }

class MarkdownPrinter {
 public:
  MarkdownPrinter(const Run& run, const ReportContext& context) : run_(run), context_(context) {
    for (const RuleText& rule : context.rules) rules_[rule.id] = &rule;
  }

  /// Returns the report.
  const std::string& Print() {
    const Header& header = run_.header;
    page_ << "# DLPack conformance of " << NameOf(header.library, header.library_version) << "\n\n";
    PrintConclusion();
    page_ << "\n| | |\n|---|---|\n";
    Fact("interpreter", header.interpreter);
    Fact("machine", header.machine);
    Fact("environment", header.environment);
    Fact("started", header.started);
    Fact("command", header.command);
    Fact("dlpack-cts", header.program_version);
    Fact("seed", fmt::format("{}, {} examples{}", header.seed, header.examples,
                             header.examples_from.empty() ? "" : " (lowered in " + header.examples_from + ")"));
    for (const ProfilePart& part : PartsOf(header.profile)) Fact(part.name, part.text);
    const std::string_view why = EarlyEnd(run_);
    if (!why.empty()) page_ << "\n**" << why << ":** the other cases did not run.\n";
    PrintCounts();
    PrintCauses();
    PrintLimitations();
    for (const SubjectOutline& subject : OutlineOf(run_)) {
      page_ << "\n## " << subject.name << "\n\n| chapter | cases | verdicts |\n|---|--:|---|\n";
      for (const Chapter& chapter : subject.chapters) {
        page_ << Markdown("| {} | {} | {} |\n", chapter.path, chapter.results.size(), CountsText(Count(chapter)));
      }
      PrintSection(subject, "Unexpected", [](const Result& result) { return !result.as_expected; });
      PrintSection(subject, "Known deviations", IsListed);
      PrintSection(subject, "Deviations that do not count", [](const Result& result) { return IsUncounted(result); });
      PrintSection(subject, "Notes",
                   [](const Result& result) { return result.as_expected && result.verdict == Verdict::kNote; });
      PrintNotRun(subject);
      PrintRules(subject);
    }
    PrintReadings();
    return page_.text();
  }

 private:
  void Fact(std::string_view name, const std::string& value) {
    if (!value.empty()) page_ << "| " << name << " | " << value << " |\n";
  }

  /// One sentence first: does the library conform? Then the worst deviation, its rule and the next command.
  void PrintConclusion() {
    const Conclusion conclusion = ConclusionOf(run_, context_, "");
    page_ << "**" << conclusion.verdict << "** " << conclusion.details << "\n\n";
    for (const ReportRow& row : conclusion.rows) {
      Item(row.name, row.is_command ? Code(row.text) : Text(row.text));
    }
  }

  void PrintCounts() {
    const Tally tally = Count(run_.results, Scope::kConformance);
    const Tally hostile = Count(run_.results, Scope::kHostile);
    page_ << Markdown("\n{}: {}.", Plural(tally.total, "case"), CountsText(tally));
    if (hostile.total > 0) {
      page_ << Markdown(" Invalid input, counted apart: {}: {}.", Plural(hostile.total, "case"), CountsText(hostile));
    }
    const int64_t unexpected = CountUnexpected(run_);
    const int64_t stale = run_.footer.unexpected - unexpected;
    const int64_t uncounted = CountUncounted(run_);
    page_ << Markdown(" Deviations: {} unexpected, {} known{}{}.\n", unexpected, tally.listed + hostile.listed,
                      uncounted > 0 ? fmt::format(", {} {} not count", uncounted, uncounted == 1 ? "does" : "do") : "",
                      stale > 0 ? fmt::format(", {} listed but no longer seen", stale) : "");
    for (const std::string& sentence : run_.footer.stale) page_ << "\n- " << sentence;
    if (!run_.footer.stale.empty()) page_ << "\n";
  }

  void PrintReadings() {
    if (run_.readings.empty()) return;
    page_ << "\n## Unspecified behaviour\n\nWhat the library does where the specification leaves a choice.\n\n"
             "| | question | observed choice | rule |\n|---|---|---|---|\n";
    for (const ObservedChoices& readings : run_.readings) {
      page_ << Markdown("| {} | {} | {} | {} |\n", readings.id, readings.question, TextOf(readings),
                        CodeInTable(readings.rule));
    }
  }

  void PrintCauses() {
    const std::vector<const Cause*> causes = CausesToFix(run_);
    if (causes.empty()) return;
    page_ << "\n## Causes\n\nWhat to fix, worst first, each with its minimised example.\n";
    for (const Cause* const shown : causes) {
      const Cause& cause = *shown;
      page_ << Markdown("\n### {}: {}{}{}\n\n", ToText(cause.verdict), Headline(run_, cause),
                        If(!cause.as_expected, "unexpected"), If(IsOnInvalidInput(run_, cause), "invalid input"));
      PrintRule(cause.rule);
      PrintWhyExpected(cause.expectation);
      PrintRows(EvidenceOf(run_, cause));
      Item("script", Code(ScriptOf(run_, cause)));
      Item("replay", Code(cause.replay));
      Item("seen in", Text(CasesText(cause)));
      Item("cause", Code(cause.id));
    }
    const std::string where = WrongFindingPage();
    page_ << Markdown(
        "\nIf you think that a finding is wrong, {} of dlpack-cts says what to check and what to report.\n",
        where.empty() ? Markdown("CONTRIBUTING.md") : Markdown("[CONTRIBUTING.md]({})", Markdown::AlreadySafe(where)));
  }

  void PrintLimitations() {
    const std::vector<LimitationGroup> groups = LimitationsOf(run_);
    if (groups.empty()) return;
    page_ << "\n## Observed limitations\n\nWhat the library refuses, copies or makes otherwise. No rule asks for "
             "more.\n";
    for (const LimitationGroup& group : groups) {
      page_ << Markdown("\n### {}{}\n\n", group.text, If(!group.as_expected, "unexpected"));
      PrintWhyExpected(group.expectation);
      Item("got", Text(group.got));
      Item("control", Text(group.control));
      Item("limitation", Code(group.id));
    }
  }

  template <typename Wanted>
  void PrintSection(const SubjectOutline& subject, std::string_view title, Wanted wanted) {
    bool first = true;
    for (const Chapter& chapter : subject.chapters) {
      for (const Result* result : chapter.results) {
        if (!wanted(*result)) continue;
        if (first) page_ << "\n### " << title << "\n";
        first = false;
        PrintResult(*result);
      }
    }
  }

  void PrintResult(const Result& result) {
    page_ << Markdown("\n#### {} {}{}\n\n", ToText(result.verdict), Code(result.seen.case_id),
                      If(result.hostile, "invalid input"));
    const std::string sentence = Sentence(result);
    if (!sentence.empty()) page_ << sentence << "\n\n";
    for (const std::string& rule : RulesNamed(result)) PrintRule(rule);
    if (IsListed(result) || IsUncounted(result)) PrintWhyExpected(result.expectation);
    PrintRows(EvidenceOf(result.seen, result.verdict));
    for (const std::string& text : DeviationTexts(result.seen)) Item("differs from the reference", Text(text));
    if (result.seen.examples > 0) Item("ran", Text(ExamplesText(result.seen)));
    Item("reproducer", Code(result.reproducer));
    Item("replay", Code(result.replay));
  }

  void PrintRule(const std::string& id) {
    const auto found = rules_.find(id);
    page_ << "- rule " << Code(id);
    if (found != rules_.end()) {
      const RuleText& rule = *found->second;
      page_ << Markdown(" ({}): {} Source: {}.", rule.strength, rule.requirement, SourcesInMarkdown(rule));
    }
    page_ << "\n";
  }

  void PrintRows(const Evidence& evidence) {
    for (const ReportRow& row : evidence.Rows()) Item(row.name, Code(row.text));
  }

  void PrintWhyExpected(const std::string& expectation) {
    Item(IsUncounted(expectation) ? "does not fail the run" : "known because", Text(expectation));
  }

  static Markdown Text(std::string_view text) { return Markdown("{}", text); }

  void Item(std::string_view name, const Markdown& value) {
    if (!value.empty()) page_ << "- " << name << ": " << value << "\n";
  }

  /// SKIP and BLOCKED by reason: one missing claim skips many cases at once.
  void PrintNotRun(const SubjectOutline& subject) {
    std::map<std::string, std::vector<const Result*>> reasons;
    for (const Chapter& chapter : subject.chapters) {
      for (const Result* result : chapter.results) {
        if (!IsJudged(result->verdict)) {
          reasons[std::string(ToText(result->verdict)) + ": " + Sentence(*result)].push_back(result);
        }
      }
    }
    if (reasons.empty()) return;
    page_ << "\n### Not judged\n\n| reason | cases | |\n|---|--:|---|\n";
    for (const auto& [reason, results] : reasons) {
      Markdown ids;
      for (const Result* result : results)
        ids << std::string_view(ids.empty() ? "" : ", ") << CodeInTable(result->seen.case_id);
      page_ << Markdown("| {} | {} | {} |\n", reason, results.size(), ids);
    }
  }

  void PrintRules(const SubjectOutline& subject) {
    const std::vector<RuleChapter> chapters = RulesOf(subject, context_);
    if (chapters.empty()) return;
    page_ << "\n### Rules\n\n| rule | verdict | strength | requirement | source |\n|---|---|---|---|---|\n";
    for (const RuleChapter& chapter : chapters) {
      for (const RuleView& rule : chapter.rules) {
        page_ << Markdown("| {} | {}{} | {} | {} | {} |\n", rule.text.id, ToText(rule.verdict),
                          If(rule.hostile_only, "invalid input"), rule.text.strength, rule.text.requirement,
                          SourcesInMarkdown(rule.text));
      }
    }
  }

  const Run& run_;
  const ReportContext& context_;
  Markdown page_;
  std::map<std::string, const RuleText*> rules_;
};

}  // namespace

void PrintMarkdown(const Run& run, const ReportContext& context, std::ostream& out) {
  out << MarkdownPrinter(run, context).Print();
}

}  // namespace dlpack_cts
