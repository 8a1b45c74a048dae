// reports/html.cc: the HTML page: data of the run, counts, filter, cases by chapter, rules.
#include "reports/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/code_spans.h"
#include "reports/conclusion.h"
#include "reports/evidence.h"
#include "reports/html_assets.h"
#include "reports/html_case.h"
#include "reports/limitations.h"
#include "reports/outline.h"
#include "reports/rule_page.h"
#include "reports/rule_view.h"
#include "reports/script.h"
#include "reports/sources.h"
#include "reports/text.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLine = 4096;

class HtmlPrinter {
 public:
  HtmlPrinter(const Run& run, const ReportContext& context, const std::string& out_dir, std::ostream& out)
      : run_(run), context_(context), out_(out), cases_(context, out_dir, page_), subjects_(OutlineOf(run)) {}

  void Print() {
    const Header& header = run_.header;
    const std::string of = NameOf(header.library, header.library_version);
    // The policy keeps a library's text from loading anything if the escaping ever fails.
    page_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
             "script-src 'unsafe-inline'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>DLPack conformance of "
          << of << "</title>\n<style>" << Xml::AlreadySafe(kPageStyle)
          << "</style>\n</head>\n<body>\n<main>\n<h1>DLPack conformance of " << of << "</h1>\n";
    PrintConclusion();
    PrintCards();
    PrintFacts();
    PrintCauses();
    PrintLimitations();
    for (size_t i = 0; i < subjects_.size(); ++i) PrintDeviations(subjects_[i], Anchor(i));
    PrintReadings();
    PrintFilter();
    for (size_t i = 0; i < subjects_.size(); ++i) PrintSubject(subjects_[i], Anchor(i));
    cases_.PrintShared();
    page_ << "</main>\n<script>" << Xml::AlreadySafe(kPageScript) << "</script>\n</body>\n</html>\n";
    page_.MoveTo(out_);
  }

 private:
  /// The prefix of every anchor of a subject; empty if there is only one subject.
  std::string Anchor(size_t subject) const { return subjects_.size() == 1 ? "" : fmt::format("s{}:", subject); }

  /// One sentence first: does the library conform? Then the worst deviation, its rule and the next command.
  void PrintConclusion() {
    const Conclusion conclusion = ConclusionOf(run_, context_, "");
    page_ << "<p><b>" << OneLine(conclusion.verdict) << "</b> " << OneLine(conclusion.details)
          << "</p>\n<table class=\"recipe\" aria-label=\"Conclusion\"><tbody>\n";
    for (const ReportRow& row : conclusion.rows) {
      const Xml code = row.is_command ? Xml(" class=\"mono\"") : Xml();
      page_ << Xml("<tr><td>{}</td><td{}>{}</td></tr>\n", row.name, code, OneLine(row.text, kLine));
    }
    page_ << "</tbody></table>\n";
  }

  void PrintFacts() {
    const Header& header = run_.header;
    page_ << Xml("<p class=\"soft\">{}; {}; started {}, {}; seed {}</p>\n", header.interpreter, header.machine,
                 header.started, Duration(run_.footer.seconds), header.seed);
    PrintProfile(header.profile);
    const std::string_view why = EarlyEnd(run_);
    if (!why.empty()) page_ << "<p class=\"alert\"><b>" << why << ".</b> The other cases did not run.</p>\n";
    const int64_t stale = run_.footer.unexpected - CountUnexpected(run_);
    if (stale > 0) {
      page_ << Xml(
          "<p class=\"alert\"><b>{} listed deviations no longer occur.</b> Correct the list of expectations, or run "
          "the command with --update.",
          stale);
      for (const std::string& sentence : run_.footer.stale) page_ << "<br>" << OneLine(sentence);
      page_ << "</p>\n";
    }
    nlohmann::json facts = {{"command", header.command},
                            {"dlpack-cts", header.program_version},
                            {"environment", header.environment},
                            {"examples per property", header.examples}};
    if (!header.examples_from.empty()) facts["examples lowered in"] = header.examples_from;
    if (!header.variables.empty()) facts["variables"] = header.variables;
    page_ << "<details><summary><u>Command and environment</u></summary>\n" << HtmlTable(facts) << "</details>\n";
  }

  void PrintProfile(const ProfileLines& profile) {
    if (profile.empty()) return;
    page_ << "<table class=\"recipe\" aria-label=\"Profile\"><tbody>\n";
    for (const ProfilePart& part : PartsOf(profile)) {
      page_ << Xml("<tr><td>{}</td><td>{}</td></tr>\n", OneLine(part.name), OneLine(part.text, kLine));
    }
    page_ << "</tbody></table>\n";
  }

  void PrintCard(std::string_view label, int64_t value, std::string_view css) {
    page_ << Xml("<div class=\"card\"><b class=\"{}\">{}</b>{}</div>\n", css, value, label);
  }

  void PrintCards() {
    const Tally tally = Count(run_.results, Scope::kConformance);
    const Tally hostile = Count(run_.results, Scope::kHostile);
    page_ << "<section class=\"cards\" aria-label=\"Summary\">\n";
    const int64_t unexpected = CountUnexpected(run_);
    PrintCard("unexpected", unexpected, unexpected > 0 ? "FAIL" : "PASS");
    PrintCard("known", tally.listed + hostile.listed, "");
    if (const int64_t uncounted = CountUncounted(run_); uncounted > 0)
      PrintCard(uncounted == 1 ? "does not count" : "do not count", uncounted, "");
    PrintCard("cases", tally.total, "");
    for (const Verdict verdict : VerdictOrder()) {
      if (tally.of(verdict) > 0) PrintCard(ToText(verdict), tally.of(verdict), ToText(verdict));
    }
    if (hostile.total > 0) {
      page_ << Xml("<div class=\"card wide\">Invalid input, counted apart: {}: {}</div>\n",
                   Plural(hostile.total, "case"), CountsText(hostile));
    }
    page_ << "</section>\n";
  }

  void PrintReadings() {
    if (run_.readings.empty()) return;
    page_
        << "<h2>Unspecified behaviour</h2>\n<details><summary><u>What the library does where the specification leaves "
           "a "
           "choice: "
        << run_.readings.size() << " choices observed</u></summary>\n<table class=\"recipe\"><tbody>\n";
    for (const ObservedChoices& readings : run_.readings) {
      page_ << Xml("<tr><td>{}</td><td>{} [{}]</td><td>{}</td></tr>\n", readings.id, OneLine(readings.question),
                   readings.rule, OneLine(TextOf(readings), kLine));
    }
    page_ << "</tbody></table>\n</details>\n";
  }

  void PrintCauses() {
    const std::vector<const Cause*> causes = CausesToFix(run_);
    if (causes.empty()) return;
    page_ << "<h2>Causes</h2>\n<ul class=\"broke\">\n";
    for (const Cause* const shown : causes) {
      const Cause& cause = *shown;
      page_ << Xml("<li>{}<span><b>{}</b>{}", VerdictBadge(cause.verdict), OneLine(Headline(run_, cause)),
                   cause.as_expected ? Xml() : Xml(" <span class=\"tag\">unexpected</span>"));
      if (IsOnInvalidInput(run_, cause)) page_ << " <span class=\"tag\">invalid input</span>";
      PrintRuleOf(cause);
      const auto add = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) page_ << "<br>" << name << " <code>" << OneLine(text, kLine) << "</code>";
      };
      if (!cause.expectation.empty()) page_ << "<br>" << OneLine(WhyExpected(cause.expectation));
      for (const ReportRow& row : EvidenceOf(run_, cause).Rows()) add(row.name, row.text);
      PrintScriptOf(cause);
      add("replay", cause.replay);
      PrintCasesOf(cause);
      page_ << Xml(
          "<small class=\"soft\">{}; <a href=\"#wrong\">I think this finding is wrong</a></small></span></li>\n",
          cause.id);
    }
    const std::string where = WrongFindingPage();
    page_ << Xml(
        "</ul>\n<p class=\"soft\" id=\"wrong\">If you think that a finding is wrong, {} of dlpack-cts says what to "
        "check and what to report. <code>dlpack-cts issue OUT CAUSE</code> drafts an issue for the library.</p>\n",
        where.empty() ? Xml("CONTRIBUTING.md") : Xml("<a href=\"{}\">CONTRIBUTING.md</a>", where));
  }

  /// The violated rule in our words, how strong it is, what is at stake, and where the specification says it.
  void PrintRuleOf(const Cause& cause) {
    const auto rule = std::ranges::find(context_.rules, cause.rule, &RuleText::id);
    if (rule == context_.rules.end()) {
      if (!cause.rule.empty()) page_ << "<br>rule " << cause.rule;
      return;
    }
    page_ << Xml("<br>rule {}: {} <span class=\"soft\">({}; {})</span>", rule->id, WithCode(rule->requirement),
                 rule->strength, SourcesInHtml(*rule));
  }

  /// A result file may come from anywhere, so only a path in the folder of the reproducers becomes a link.
  void PrintScriptOf(const Cause& cause) {
    const std::string script = OneLine(ScriptOf(run_, cause), kLine);
    if (script.empty()) return;
    const bool inside = script.starts_with("findings/") && script.find("..") == std::string::npos;
    page_ << "<br>script "
          << (inside ? Xml("<a href=\"{0}\"><code>{0}</code></a>", script) : Xml("<code>{}</code>", script));
  }

  /// The cases that showed the cause, folded.
  void PrintCasesOf(const Cause& cause) {
    if (cause.cases.empty()) {
      page_ << "<br>";
      return;
    }
    page_ << Xml("<details><summary><u>{}</u></summary>", Plural(static_cast<int64_t>(cause.cases.size()), "case"));
    for (const std::string& id : cause.cases) {
      // Each pair has a case of this name, so there is no single place to go to.
      page_ << (subjects_.size() == 1 ? Xml("<a href=\"#{0}\">{0}</a><br>", id) : Xml("{}<br>", id));
    }
    page_ << "</details>";
  }

  void PrintLimitations() {
    const std::vector<LimitationGroup> groups = LimitationsOf(run_);
    if (groups.empty()) return;
    page_ << "<h2>Observed limitations</h2>\n<ul class=\"broke\">\n";
    for (const LimitationGroup& group : groups) {
      page_ << Xml("<li>{}<span>{}{}<br><span class=\"soft\">{}</span>", VerdictBadge(Verdict::kNote),
                   OneLine(group.text), group.as_expected ? Xml() : Xml(" <span class=\"tag\">unexpected</span>"),
                   group.id);
      if (!group.expectation.empty()) page_ << "<br>" << OneLine(WhyExpected(group.expectation));
      page_ << "<br>got <code>" << OneLine(group.got) << "</code>";
      page_ << "<br>control <code>" << OneLine(group.control) << "</code></span></li>\n";
    }
    page_ << "</ul>\n";
  }

  void PrintDeviations(const SubjectOutline& subject, const std::string& anchor) {
    PrintList(subject.name + ": unexpected", ShownResults(subject, false), anchor);
    std::vector<const Result*> listed = ShownResults(subject, true);
    std::vector<const Result*> uncounted = listed;
    std::erase_if(listed, [](const Result* result) { return !IsListed(*result); });
    std::erase_if(uncounted, [](const Result* result) { return !IsUncounted(*result); });
    PrintList(subject.name + ": known", listed, anchor);
    PrintList(subject.name + ": does not count", uncounted, anchor);
  }

  void PrintList(const std::string& title, const std::vector<const Result*>& results, const std::string& anchor) {
    if (results.empty()) return;
    page_ << "<h2>" << title << "</h2>\n<ul class=\"broke\">\n";
    for (const Result* result : results) {
      const Observation& seen = result->seen;
      page_ << Xml("<li>{}<span><a href=\"#{}\">{}</a>{}<br>{}", VerdictBadge(result->verdict), anchor + seen.case_id,
                   seen.case_id, result->hostile ? Xml(" <span class=\"tag\">invalid input</span>") : Xml(),
                   OneLine(Sentence(*result)));
      for (const ReportRow& row : EvidenceOf(seen, result->verdict).Rows()) {
        page_ << "<br>" << row.name << " <code>" << OneLine(row.text) << "</code>";
      }
      page_ << "</span></li>\n";
    }
    page_ << "</ul>\n";
  }

  void PrintChip(std::string_view name, int64_t count) {
    if (count == 0) return;
    page_ << Xml("<button class=\"chip\" aria-pressed=\"false\" data-v=\"{0}\">{0} {1}</button>\n", name, count);
  }

  /// Each case belongs to one button. The number on the button is that of the card. Cases with invalid input have a
  /// button of their own.
  void PrintFilter() {
    const Tally tally = Count(run_.results, Scope::kConformance);
    page_ << "<section class=\"bar\" hidden aria-label=\"Filter\">\n";
    for (const Verdict verdict : VerdictOrder()) PrintChip(ToText(verdict), tally.of(verdict));
    PrintChip(kInvalidInputChip, Count(run_.results, Scope::kHostile).total);
    page_ << Xml(
        "<label><input type=\"checkbox\" id=\"only\"> unexpected only ({})</label>\n"
        "<input type=\"search\" id=\"find\" placeholder=\"verdict, case, rule, message\" aria-label=\"Search cases\">\n"
        "<button id=\"all\">Show all</button>\n<span id=\"shown\" class=\"soft\" aria-live=\"polite\"></span>\n"
        "</section>\n",
        Count(run_.results, Scope::kAll).unexpected);
  }

  void PrintBadges(const Tally& tally) {
    for (const Verdict verdict : VerdictOrder()) {
      if (tally.of(verdict) > 0) page_ << VerdictBadge(verdict) << " " << tally.of(verdict) << " ";
    }
  }

  void PrintSubject(const SubjectOutline& subject, const std::string& anchor) {
    page_ << "<h2>" << subject.name << ": cases</h2>\n";
    for (const Chapter& chapter : subject.chapters) {
      const Tally tally = Count(chapter);
      page_ << Xml("<details class=\"chapter cases\" id=\"{}\">\n<summary><h3>{}</h3><span>", anchor + chapter.path,
                   chapter.path);
      PrintBadges(tally);
      page_ << "</span></summary>\n";
      for (const Result* result : chapter.results)
        cases_.Print(*result, subject.name, anchor + result->seen.case_id, anchor + "rule:");
      page_ << "</details>\n";
      page_.MoveTo(out_);
    }
    PrintRules(subject, anchor);
  }

  void PrintRules(const SubjectOutline& subject, const std::string& anchor) {
    const std::vector<RuleChapter> chapters = RulesOf(subject, context_);
    if (chapters.empty()) return;
    page_ << "<h2>" << subject.name << ": rules</h2>\n";
    for (const RuleChapter& chapter : chapters) {
      Tally tally;
      for (const RuleView& rule : chapter.rules) ++tally.counts[static_cast<size_t>(rule.verdict)];
      page_ << "<details class=\"chapter\">\n<summary><h3>" << chapter.name << "</h3><span>";
      PrintBadges(tally);
      page_ << "</span></summary>\n<table class=\"stack rules\"><thead><tr><th>Rule</th><th>Verdict</th>"
               "<th>Requirement</th><th>Strength</th><th>Source</th><th>Cases</th></tr></thead><tbody>\n";
      for (const RuleView& rule : chapter.rules) PrintRule(rule, anchor);
      page_ << "</tbody></table>\n</details>\n";
      page_.MoveTo(out_);
    }
  }

  void PrintRule(const RuleView& rule, const std::string& anchor) {
    // The catalogue may not have a rule of an older file.
    const std::string page = rule.text.requirement.empty() ? "" : RulePage(rule.text.id);
    const Xml name =
        page.empty() ? Xml("<b>{}</b>", rule.text.id) : Xml("<a href=\"{}\"><b>{}</b></a>", page, rule.text.id);
    Xml links;
    for (const Result* result : rule.results) {
      links << Xml("<div><a href=\"#{}\">{}</a> {}</div>", anchor + result->seen.case_id, LeafOf(result->seen.case_id),
                   ToText(VerdictFor(*result, rule.text.id)));
    }
    page_ << Xml(
        "<tr id=\"{}rule:{}\"><td>{}</td><td>{}{}</td><td>{}</td><td data-l=\"Strength\">{}</td>"
        "<td data-l=\"Source\">{}</td><td>{}</td></tr>\n",
        anchor, rule.text.id, name, VerdictBadge(rule.verdict),
        rule.hostile_only ? Xml(" <span class=\"tag\">invalid input</span>") : Xml(), WithCode(rule.text.requirement),
        rule.text.breach.empty() ? std::string() : rule.text.strength + "; a violation counts as " + rule.text.breach,
        SourcesInHtml(rule.text), links);
  }

  const Run& run_;
  const ReportContext& context_;
  std::ostream& out_;
  Xml page_;  // what has not been written to out_ yet
  HtmlCases cases_;
  std::vector<SubjectOutline> subjects_;
};

}  // namespace

void PrintHtml(const Run& run, const ReportContext& context, const std::string& out_dir, std::ostream& out) {
  HtmlPrinter(run, context, out_dir, out).Print();
}

}  // namespace dlpack_cts
