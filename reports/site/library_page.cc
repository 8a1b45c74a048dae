// reports/site/library_page.cc: the page of one library.
#include <algorithm>
#include <ranges>
#include <set>

#include "reports/evidence.h"
#include "reports/html_case.h"
#include "reports/limitations.h"
#include "reports/outline.h"
#include "reports/site/answer_cell.h"
#include "reports/site/history.h"
#include "reports/site/page.h"
#include "reports/site/pages.h"
#include "results/tally.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLine = 4096;

/// "2 FAIL, 1 WARN": the deviations among the counts of a release.
std::string CountsWords(const nlohmann::json& counts) {
  std::string text;
  for (const Verdict verdict : VerdictOrder()) {
    const nlohmann::json count = counts.value(std::string(ToText(verdict)), nlohmann::json());
    if (!IsDeviation(verdict) || !count.is_number_integer()) continue;
    text += (text.empty() ? "" : ", ") + count.dump() + " " + std::string(ToText(verdict));
  }
  return text.empty() ? "no deviation" : text;
}

class LibraryPrinter {
 public:
  LibraryPrinter(const Site& site, const LibraryView& library) : site_(site), library_(library), run_(*library.run) {}

  std::string Print() {
    PrintVerdict();
    PrintFeatures();
    PrintHistory();
    PrintCauses();
    PrintRules();
    PrintLimitations();
    PrintChoices();
    PrintNotJudged();
    return PageOf({.title = "DLPack conformance of " + library_.name, .file = "", .root = "../"}, page_);
  }

 private:
  Xml RuleLink(const std::string& rule) const { return Xml("<a href=\"../rules.html#{0}\">{0}</a>", rule); }

  void PrintFact(std::string_view name, const Xml& value) {
    page_ << Xml("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name, value);
  }

  void PrintVerdict() {
    const Header& header = run_.header;
    page_ << Xml("<p><b>{}</b> {}</p>\n", library_.conclusion.verdict, library_.conclusion.details);
    page_ << "<table class=\"facts\" aria-label=\"The run\"><tbody>\n";
    PrintFact("Reproduce", Xml("<code>{}</code>", header.command));
    PrintFact("Judged with", Xml("dlpack-cts {}, {}, {}, started {}", header.program_version, header.interpreter,
                                 header.machine, header.started));
    for (const ProfilePart& part : PartsOf(header.profile)) PrintFact(part.name, Xml("{}", OneLine(part.text, kLine)));
    if (library_.has_report)
      PrintFact("Every case", Xml("<a href=\"../{0}/index.html\">report of {1}</a>", library_.key, library_.name));
    PrintFact("Badge", Xml("<a href=\"{0}.svg\">{0}.svg</a>, <a href=\"{0}.json\">{0}.json</a>", library_.key));
    page_ << "</tbody></table>\n";
  }

  void PrintFeatures() {
    if (site_.features.empty()) return;
    page_ << "<h2 id=\"features\">Features</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
             "aria-label=\"Features\"><table class=\"grid\"><thead><tr><th scope=\"col\">Feature</th><th "
             "scope=\"col\">Answer</th><th scope=\"col\">What shows it</th></tr></thead><tbody>\n";
    std::string group;
    for (const Feature& feature : site_.features) {
      if (feature.group != group)
        page_ << Xml("<tr><th colspan=\"3\" scope=\"colgroup\">{}</th></tr>\n", group = feature.group);
      const FeatureAnswer& answer = library_.answers.at(feature.id);
      page_ << Xml(
          "<tr><th scope=\"row\"><a href=\"../features.html#{}\">{}</a></th><td>{}</td><td class=\"wrap\">{}{}</td>"
          "</tr>\n",
          feature.id, feature.title, AnswerWords(answer), OneLine(answer.text),
          answer.rule.empty() ? Xml() : Xml(" [<a href=\"#{0}\">{0}</a>]", answer.rule));
    }
    page_ << "</tbody></table></div>\n";
  }

  void PrintHistory() {
    if (library_.history == nullptr) return;
    page_ << "<h2 id=\"history\">History</h2>\n<p class=\"soft\">The last patch release of each minor release, as it "
             "is judged today, the newest first. <b>New causes</b>: those that the release before it did not "
             "show.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"History\"><table "
             "class=\"grid\"><thead><tr><th scope=\"col\">Release</th><th scope=\"col\">Verdict</th><th "
             "scope=\"col\">Rules violated</th><th scope=\"col\">New causes</th></tr></thead><tbody>\n";
    std::vector<Xml> rows;
    const LibraryRelease* before = nullptr;
    for (const LibraryRelease& release : library_.history->releases) {
      rows.push_back(RowOf(release, before));
      if (release.IsJudged()) before = &release;
    }
    for (const Xml& row : std::views::reverse(rows)) page_ << row;
    page_ << "</tbody></table></div>\n";
  }

  static Xml RowOf(const LibraryRelease& release, const LibraryRelease* before) {
    const Xml version("<th scope=\"row\">{}</th>", OneLine(release.version));
    if (!release.IsJudged())
      return Xml("<tr>{}<td colspan=\"3\" class=\"wrap soft\">not judged: {}</td></tr>\n", version,
                 OneLine(release.reason));
    Xml news;
    for (const LibraryRelease::Found& cause : release.causes) {
      if (before != nullptr &&
          std::ranges::find(before->causes, cause.id, &LibraryRelease::Found::id) != before->causes.end())
        continue;
      news << Xml("{}{} <small>{}</small>", news.empty() ? Xml() : Xml("<br>"), VerdictBadge(cause.verdict),
                  OneLine(cause.id));
    }
    return Xml(
        "<tr>{}<td>{}<br><small class=\"soft\">{}</small></td><td>{} of {}</td><td class=\"wrap\">{}</td></tr>\n",
        version, OneLine(release.word), CountsWords(release.counts), release.rules_violated, release.rules_judged,
        news);
  }

  void PrintCauses() {
    page_ << "<h2 id=\"findings\">Findings</h2>\n";
    const std::vector<const Cause*> causes = CausesToFix(run_);
    if (causes.empty()) {
      page_ << "<p>No cause of a deviation was found.</p>\n";
      return;
    }
    page_ << "<ul class=\"broke\">\n";
    for (const Cause* const cause : causes) PrintCause(*cause);
    page_ << "</ul>\n";
  }

  void PrintCause(const Cause& cause) {
    page_ << Xml("<li>{}<span><b>{}</b> [{}]{}<br><span class=\"soft\">{}; {}</span>", VerdictBadge(cause.verdict),
                 OneLine(Headline(run_, cause)), RuleLink(cause.rule),
                 IsOnInvalidInput(run_, cause) ? Xml(" <span class=\"tag\">invalid input</span>") : Xml(), cause.id,
                 OneLine(CasesText(cause)));
    if (!cause.expectation.empty()) page_ << "<br>" << OneLine(WhyExpected(cause.expectation), kLine);
    for (const ReportRow& row : EvidenceOf(run_, cause).Rows())
      page_ << Xml("<br>{} <code>{}</code>", row.name, OneLine(row.text));
    page_ << "</span></li>\n";
  }

  /// Rules with a deviation or a NOTE, by chapter, so that cells of other pages can link here.
  void PrintRules() {
    page_ << "<h2 id=\"rules\">Rules with a deviation or a note</h2>\n";
    std::set<std::string> chapters;
    Xml items;
    for (const auto& [id, rule] : library_.rules) {
      if (!IsJudged(rule.verdict) || rule.verdict == Verdict::kPass) continue;
      const std::string chapter = ChapterOf(id);
      if (chapters.insert(chapter).second) items << Xml("<li id=\"{0}\"><b>{0}</b></li>\n", chapter);
      items << Xml("<li id=\"{}\">{}<span>{}{}", id, VerdictBadge(rule.verdict), RuleLink(id),
                   rule.hostile_only ? Xml(" <span class=\"tag\">invalid input</span>") : Xml());
      for (const std::string& why : rule.why) items << "<br>" << OneLine(why);
      items << "</span></li>\n";
    }
    if (items.empty()) {
      page_ << "<p>None.</p>\n";
    } else {
      page_ << "<ul class=\"broke\">\n" << items << "</ul>\n";
    }
  }

  void PrintLimitations() {
    const std::vector<LimitationGroup> groups = LimitationsOf(run_);
    if (groups.empty()) return;
    page_ << "<h2 id=\"limitations\">Limitations</h2>\n<p class=\"soft\">What the library does not support although it "
             "accepts the same exchange without that value. No rule asks for it.</p>\n<ul>\n";
    for (const LimitationGroup& group : groups)
      page_ << Xml("<li>{} <span class=\"soft\">({})</span></li>\n", OneLine(group.text), OneLine(group.got));
    page_ << "</ul>\n";
  }

  void PrintChoices() {
    if (run_.readings.empty()) return;
    page_ << "<h2 id=\"choices\">Unspecified behaviour</h2>\n<ul>\n";
    for (const ObservedChoices& choice : run_.readings) {
      page_ << Xml("<li>{}: {} <span class=\"soft\">[<a href=\"../choices.html#{}\">{}</a>]</span></li>\n",
                   OneLine(choice.question), OneLine(TextOf(choice), kLine), choice.id, choice.id);
    }
    page_ << "</ul>\n";
  }

  void PrintNotJudged() {
    Xml items;
    for (const SubjectOutline& subject : OutlineOf(run_)) {
      for (const NotJudged& one : NotJudgedOf(subject)) {
        items << Xml("<li>{}, {}: {}</li>\n", Plural(static_cast<int64_t>(one.results.size()), "case"),
                     ToText(one.verdict), OneLine(one.reason));
      }
    }
    if (!items.empty()) page_ << "<h2 id=\"not-judged\">Not judged</h2>\n<ul>\n" << items << "</ul>\n";
  }

  const Site& site_;
  const LibraryView& library_;
  const Run& run_;
  Xml page_;
};

}  // namespace

std::string LibraryPage(const Site& site, const LibraryView& library) { return LibraryPrinter(site, library).Print(); }

}  // namespace dlpack_cts
