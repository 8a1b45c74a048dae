// reports/site/rules_page.cc: every rule, and the verdict of each library.
#include <algorithm>
#include <string>
#include <vector>

#include "reports/code_spans.h"
#include "reports/html_assets.h"
#include "reports/rule_page.h"
#include "reports/site/page.h"
#include "reports/site/pages.h"
#include "reports/sources.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

std::vector<std::string> ChaptersOf(const ReportContext& context) {
  std::vector<std::string> chapters;
  for (const RuleText& rule : context.rules) {
    if (std::ranges::find(chapters, ChapterOf(rule.id)) == chapters.end()) chapters.push_back(ChapterOf(rule.id));
  }
  return chapters;
}

Xml Choice(std::string_view name, std::string_view label, const std::vector<std::string>& values) {
  Xml choice("<label>{} <select name=\"{}\"><option value=\"\">all</option>", label, name);
  for (const std::string& value : values) choice << Xml("<option value=\"{0}\">{0}</option>", value);
  return choice << "</select></label>";
}

const RuleState* StateOf(const LibraryView& library, const std::string& rule) {
  const auto found = library.rules.find(rule);
  return found == library.rules.end() ? nullptr : &found->second;
}

Xml Cell(const LibraryView& library, const std::string& rule) {
  const RuleState* const state = StateOf(library, rule);
  if (state == nullptr || !IsJudged(state->verdict))
    return Xml("<td class=\"SKIP\">–</td>");  // short: a page has thousands of them
  if (state->verdict == Verdict::kPass) return Xml("<td class=\"PASS\">✓</td>");
  const Xml badge("<a href=\"{0}/{1}.html#{2}\"><span class=\"v {3}\">{3}</span></a>", kLibraryFolder, library.key,
                  rule, ToText(state->verdict));
  const std::string_view kind = state->hostile_only || !IsDeviation(state->verdict) ? ""
                                : state->verdict == Verdict::kWarn                  ? " poor"
                                                                                    : " bad";
  return Xml("<td class=\"cell{}\">{}{}</td>", kind, badge,
             state->hostile_only ? Xml(" <small>invalid input</small>") : Xml());
}

bool IsViolated(const Site& site, const std::string& rule) {
  return std::ranges::any_of(site.libraries, [&](const LibraryView& library) {
    const RuleState* const state = StateOf(library, rule);
    return state != nullptr && IsDeviation(state->verdict);
  });
}

Xml Row(const Site& site, const RuleText& rule) {
  const std::string page = RulePage(rule.id);
  const Xml name =
      page.empty() ? Xml("<a href=\"#{0}\">{0}</a>", rule.id) : Xml("<a href=\"{}\">{}</a>", page, rule.id);
  Xml row(
      "<tr class=\"row\" id=\"{0}\" data-role=\"{1}\" data-chapter=\"{2}\" data-severity=\"{3}\" data-violated=\"{4}\" "
      "data-words=\"{0} {5}\"><th scope=\"row\">{6}</th><td class=\"requirement\">{9}<br><small>{1}; {7}; a violation "
      "counts as {3}; source: {8}</small></td>",
      rule.id, rule.actor == "both" ? std::string("producer consumer") : rule.actor, ChapterOf(rule.id), rule.breach,
      IsViolated(site, rule.id) ? 1 : 0, rule.requirement, name, rule.strength, SourcesInHtml(rule),
      WithCode(rule.requirement));
  for (const LibraryView& library : site.libraries) row << Cell(library, rule.id);
  return row << "</tr>\n";
}

Xml Head(const Site& site) {
  Xml head("<thead><tr><th scope=\"col\">Rule</th><th scope=\"col\">Requirement</th>");
  for (const LibraryView& library : site.libraries) {
    head << Xml("<th class=\"up\" scope=\"col\"><a href=\"{}/{}.html\">{}</a></th>", kLibraryFolder, library.key,
                library.name);
  }
  return head << "</tr></thead>\n";
}

}  // namespace

std::string RulesPage(const Site& site) {
  const std::vector<std::string> chapters = ChaptersOf(site.context);
  Xml page(
      "<p>{} of the DLPack header, its Python specification, the array API standard and the C exchange API, in the "
      "words of dlpack-cts. A cell links to what was seen.</p>\n",
      Plural(static_cast<int64_t>(site.context.rules.size()), "rule"));
  page << "<form id=\"filter\" class=\"bar\" hidden aria-label=\"Filter\">"
       << Choice("role", "Role", {"producer", "consumer"}) << Choice("chapter", "Chapter", chapters)
       << Choice("severity", "A violation counts as", {"FAIL", "WARN", "NOTE"})
       << "<label><input type=\"checkbox\" name=\"violated\"> violated by a library</label><input type=\"search\" "
          "name=\"find\" aria-label=\"Search rules\" placeholder=\"id, words of the rule\"><span id=\"shown\" "
          "class=\"soft\" aria-live=\"polite\"></span></form>\n"
       << Legend();
  const Xml head = Head(site);
  for (const std::string& chapter : chapters) {
    page << Xml("<section class=\"group\" id=\"{0}\"><h2>{0}</h2>\n<div class=\"scroll\" tabindex=\"0\" "
                "role=\"region\" aria-label=\"Rules of {0}\"><table class=\"grid\">\n",
                chapter)
         << head << "<tbody>\n";
    for (const RuleText& rule : site.context.rules) {
      if (ChapterOf(rule.id) == chapter) page << Row(site, rule);
    }
    page << "</tbody></table></div></section>\n";
  }
  return PageOf({.title = "Rules of DLPack", .file = "rules.html", .root = ""}, page);
}

}  // namespace dlpack_cts
