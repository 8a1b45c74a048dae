// reports/markdown.cc: writes a run as a report in Markdown.
#include "reports/markdown.h"

#include <fmt/format.h>

#include <map>

#include "reports/conclusion.h"
#include "reports/evidence.h"
#include "reports/outline.h"
#include "reports/rule_view.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

class MarkdownPrinter {
 public:
  MarkdownPrinter(const Run& run, const ReportContext& context, std::ostream& out)
      : run_(run), context_(context), out_(out) {
    for (const RuleText& rule : context.rules) rules_[rule.id] = &rule;
  }

  void Print() {
    const Header& header = run_.header;
    out_ << "# DLPack conformance of " << EscapeMarkdown(NameOf(header.library, header.library_version)) << "\n\n";
    PrintConclusion();
    out_ << "\n| | |\n|---|---|\n";
    Fact("interpreter", header.interpreter);
    Fact("machine", header.machine);
    Fact("environment", header.environment);
    Fact("started", header.started);
    Fact("command", header.command);
    Fact("dlpack-cts", header.program_version);
    Fact("seed", fmt::format("{}, {} examples{}", header.seed, header.examples,
                             header.examples_from.empty() ? "" : " (lowered in " + header.examples_from + ")"));
    for (const ProfilePart& part : PartsOf(header.profile)) Fact(part.name, part.text);
    const std::string_view why = WhyIncomplete(run_);
    if (!why.empty()) out_ << "\n**" << why << ":** cases that are not listed below did not run.\n";
    PrintCounts();
    PrintCauses();
    for (const SubjectOutline& subject : OutlineOf(run_)) {
      out_ << "\n## " << EscapeMarkdown(subject.name) << "\n\n| chapter | cases | verdicts |\n|---|--:|---|\n";
      for (const Chapter& chapter : subject.chapters) {
        out_ << fmt::format("| {} | {} | {} |\n", EscapeMarkdown(chapter.path), chapter.results.size(),
                            CountsText(Count(chapter)));
      }
      PrintSection(subject, "Unexpected", [](const Result& result) { return !result.as_expected; });
      PrintSection(subject, "Known deviations", IsListed);
      PrintSection(subject, "Notes",
                   [](const Result& result) { return result.as_expected && result.verdict == Verdict::kNote; });
      PrintNotRun(subject);
      PrintRules(subject);
    }
    PrintReadings();
  }

 private:
  void Fact(std::string_view name, const std::string& value) {
    if (!value.empty()) out_ << "| " << name << " | " << EscapeMarkdown(value) << " |\n";
  }

  /// One sentence first: does the library conform? Then the worst deviation, its rule and the next command.
  void PrintConclusion() {
    const Conclusion conclusion = ConclusionOf(run_, context_, "");
    out_ << "**" << EscapeMarkdown(conclusion.verdict) << "** " << EscapeMarkdown(conclusion.details) << "\n\n";
    for (const ReportRow& row : conclusion.rows) {
      Item(row.name, row.is_command ? MarkdownCode(row.text) : EscapeMarkdown(row.text));
    }
  }

  void PrintCounts() {
    const Tally tally = Count(run_.results, Scope::kConformance);
    const Tally hostile = Count(run_.results, Scope::kHostile);
    out_ << fmt::format("\n{}: {}.", Plural(tally.total, "case"), CountsText(tally));
    if (hostile.total > 0) {
      out_ << fmt::format(" Invalid input, counted apart: {}: {}.", Plural(hostile.total, "case"), CountsText(hostile));
    }
    const int64_t unexpected = CountUnexpected(run_);
    const int64_t stale = run_.footer.unexpected - unexpected;
    out_ << fmt::format(" Deviations: {} unexpected, {} known{}.\n", unexpected, tally.listed + hostile.listed,
                        stale > 0 ? fmt::format(", {} listed but no longer seen", stale) : "");
    for (const std::string& sentence : run_.footer.stale) out_ << "\n- " << EscapeMarkdown(sentence);
    if (!run_.footer.stale.empty()) out_ << '\n';
  }

  void PrintReadings() {
    if (run_.readings.empty()) return;
    out_ << "\n## Unspecified behaviour\n\nWhat the library does where the specification leaves a choice.\n\n"
            "| | question | observed choice | rule |\n|---|---|---|---|\n";
    for (const ObservedChoices& readings : run_.readings) {
      out_ << fmt::format("| {} | {} | {} | {} |\n", EscapeMarkdown(readings.id), EscapeMarkdown(readings.question),
                          EscapeMarkdown(TextOf(readings)), MarkdownCode(readings.rule));
    }
  }

  void PrintCauses() {
    if (run_.causes.empty()) return;
    out_ << "\n## Causes\n\nWhat to fix, worst first, each with its minimised example.\n";
    for (const Cause& cause : run_.causes) {
      out_ << fmt::format("\n### {}: {}{}\n\n", ToText(cause.verdict), EscapeMarkdown(Headline(run_, cause)),
                          cause.as_expected ? "" : " (unexpected)");
      PrintRule(cause.rule);
      Item("known because", EscapeMarkdown(cause.expectation));
      PrintRows(EvidenceOf(cause));
      Item("cause", MarkdownCode(cause.id));
      Item("seen in", EscapeMarkdown(CasesText(cause)));
      Item("replay", MarkdownCode(cause.replay));
    }
  }

  template <typename Wanted>
  void PrintSection(const SubjectOutline& subject, std::string_view title, Wanted wanted) {
    bool first = true;
    for (const Chapter& chapter : subject.chapters) {
      for (const Result* result : chapter.results) {
        if (!wanted(*result)) continue;
        if (first) out_ << "\n### " << title << "\n";
        first = false;
        PrintResult(*result);
      }
    }
  }

  void PrintResult(const Result& result) {
    out_ << fmt::format("\n#### {} {}{}\n\n", ToText(result.verdict), MarkdownCode(result.seen.case_id),
                        result.hostile ? " (invalid input)" : "");
    const std::string sentence = Sentence(result);
    if (!sentence.empty()) out_ << EscapeMarkdown(sentence) << "\n\n";
    for (const std::string& rule : result.breached.empty() ? result.rules : result.breached) PrintRule(rule);
    Item("known because", EscapeMarkdown(IsListed(result) ? result.expectation : ""));
    PrintRows(EvidenceOf(result.seen));
    for (const std::string& text : DeviationTexts(result.seen))
      Item("differs from the reference", EscapeMarkdown(text));
    if (result.seen.examples > 0) Item("ran", ExamplesText(result.seen));
    Item("reproducer", MarkdownCode(result.reproducer));
    Item("replay", MarkdownCode(result.replay));
  }

  void PrintRule(const std::string& id) {
    const auto found = rules_.find(id);
    out_ << "- rule " << MarkdownCode(id);
    if (found != rules_.end()) {
      const RuleText& rule = *found->second;
      out_ << fmt::format(" ({}): {} Source: {}.", EscapeMarkdown(rule.strength), EscapeMarkdown(rule.requirement),
                          EscapeMarkdown(rule.source));
    }
    out_ << '\n';
  }

  void PrintRows(const Evidence& evidence) {
    for (const ReportRow& row : evidence.Rows()) Item(row.name, MarkdownCode(row.text));
  }

  void Item(std::string_view name, const std::string& value) {
    if (!value.empty()) out_ << "- " << name << ": " << value << '\n';
  }

  /// SKIP and BLOCKED by reason: one missing claim skips many cases at once.
  void PrintNotRun(const SubjectOutline& subject) {
    std::map<std::string, std::vector<const Result*>> reasons;
    for (const Chapter& chapter : subject.chapters) {
      for (const Result* result : chapter.results) {
        if (result->verdict == Verdict::kSkip || result->verdict == Verdict::kBlocked) {
          reasons[std::string(ToText(result->verdict)) + ": " + Sentence(*result)].push_back(result);
        }
      }
    }
    if (reasons.empty()) return;
    out_ << "\n### Not judged\n\n| reason | cases | |\n|---|--:|---|\n";
    for (const auto& [reason, results] : reasons) {
      std::string ids;
      for (const Result* result : results) ids += (ids.empty() ? "" : ", ") + MarkdownCode(result->seen.case_id, true);
      out_ << fmt::format("| {} | {} | {} |\n", EscapeMarkdown(reason), results.size(), ids);
    }
  }

  void PrintRules(const SubjectOutline& subject) {
    const std::vector<RuleChapter> chapters = RulesOf(subject, context_);
    if (chapters.empty()) return;
    out_ << "\n### Rules\n\n| rule | verdict | strength | requirement | source |\n|---|---|---|---|---|\n";
    for (const RuleChapter& chapter : chapters) {
      for (const RuleView& rule : chapter.rules) {
        out_ << fmt::format("| {} | {}{} | {} | {} | {} |\n", EscapeMarkdown(rule.text.id), ToText(rule.verdict),
                            rule.hostile_only ? " (invalid input)" : "", EscapeMarkdown(rule.text.strength),
                            EscapeMarkdown(rule.text.requirement), EscapeMarkdown(rule.text.source));
      }
    }
  }

  const Run& run_;
  const ReportContext& context_;
  std::ostream& out_;
  std::map<std::string, const RuleText*> rules_;
};

}  // namespace

void PrintMarkdown(const Run& run, const ReportContext& context, std::ostream& out) {
  MarkdownPrinter(run, context, out).Print();
}

}  // namespace dlpack_cts
