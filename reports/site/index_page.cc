// reports/site/index_page.cc: libraries and chapters of rules, with a verdict for each.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/outline.h"
#include "reports/site/page.h"
#include "reports/site/pages.h"
#include "reports/text.h"
#include "reports/verdict_sentence.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

/// Chapters with one prefix stand under one heading.
struct Part {
  std::string_view prefix;
  std::string_view title;
  std::vector<std::string> chapters;
};

bool IsJudgedAnywhere(const Site& site, const std::string& chapter) {
  return std::ranges::any_of(site.libraries, [&](const LibraryView& library) {
    const auto found = library.chapters.find(chapter);
    return found != library.chapters.end() && found->second.judged() > 0;
  });
}

/// The chapters in the order of the catalogue, without those that no library was judged in.
std::vector<Part> PartsOf(const Site& site, std::vector<std::string>& left_out) {
  std::vector<Part> parts = {
      {"C-", "C structs", {}}, {"PY-", "Python protocol", {}}, {"XAPI-", "C exchange API", {}}, {"CUDA-", "CUDA", {}}};
  for (const RuleText& rule : site.context.rules) {
    const std::string chapter = ChapterOf(rule.id);
    const auto part = std::ranges::find_if(parts, [&](const Part& one) { return chapter.starts_with(one.prefix); });
    if (part == parts.end() || std::ranges::count(part->chapters, chapter) + std::ranges::count(left_out, chapter) > 0)
      continue;
    (IsJudgedAnywhere(site, chapter) ? part->chapters : left_out).push_back(chapter);
  }
  std::erase_if(parts, [](const Part& part) { return part.chapters.empty(); });
  return parts;
}

Xml Head(const std::vector<Part>& parts) {
  Xml head("<thead><tr><th rowspan=\"2\" scope=\"col\">Library</th><th rowspan=\"2\" scope=\"col\">Verdict</th>");
  for (const Part& part : parts)
    head << Xml("<th colspan=\"{}\" scope=\"colgroup\">{}</th>", part.chapters.size(), part.title);
  head << "</tr>\n<tr>";
  for (const Part& part : parts) {
    for (const std::string& chapter : part.chapters) {
      head << Xml("<th class=\"up\" scope=\"col\"><a href=\"rules.html#{}\">{}</a></th>", chapter,
                  Lower(chapter.substr(part.prefix.size())));
    }
  }
  return head << "</tr></thead>\n";
}

Xml Cell(const LibraryView& library, const std::string& chapter) {
  const auto found = library.chapters.find(chapter);
  const ChapterState state = found == library.chapters.end() ? ChapterState{} : found->second;
  const std::string words = state.judged() == 0
                                ? fmt::format("{}, {}: no rule was judged", library.name, chapter)
                                : fmt::format("{}, {}: {} judged, {} violated, {} not judged", library.name, chapter,
                                              Plural(state.judged(), "rule"), state.violated, state.not_judged);
  if (state.judged() == 0) return Xml("<td class=\"cell\" title=\"{}\"><span class=\"SKIP\">–</span></td>", words);
  if (state.violated == 0)
    return Xml("<td class=\"cell\" title=\"{}\"><span class=\"PASS\">✓</span> <small>{}</small></td>", words,
               state.judged());
  return Xml(
      "<td class=\"cell {}\" title=\"{}\"><a href=\"{}/{}.html#{}\"><span class=\"v {}\">{}</span> "
      "<small>{}/{}</small></a></td>",
      std::string_view(state.worst == Verdict::kWarn ? "poor" : "bad"), words, kLibraryFolder, library.key, chapter,
      ToText(state.worst), ToText(state.worst), state.violated, state.judged());
}

Xml Row(const LibraryView& library, const std::vector<Part>& parts, size_t place) {
  Xml row(
      "<tr class=\"row\" data-name=\"{0}\" data-place=\"{1}\" data-word=\"{2}\" data-words=\"{0} {3}\"><th "
      "scope=\"row\"><a href=\"{4}/{5}.html\">{0}</a></th><td class=\"lead\" title=\"{3}\">{6}</td>",
      library.name, place, std::string(library.word) == "conforms" ? std::string_view("conforms") : "not",
      library.conclusion.verdict, kLibraryFolder, library.key, VerdictInShort(*library.run));
  for (const Part& part : parts) {
    for (const std::string& chapter : part.chapters) row << Cell(library, chapter);
  }
  return row << "</tr>\n";
}

}  // namespace

std::string IndexPage(const Site& site) {
  std::vector<std::string> left_out;
  const std::vector<Part> parts = PartsOf(site, left_out);
  const auto conform = std::ranges::count(site.libraries, std::string_view("conforms"), &LibraryView::word);
  Xml page(
      "<p>DLPack is the C struct through which array libraries exchange tensors without copying. dlpack-cts compares "
      "each library with {} of its specification. {} of {} libraries violate no rule whose violation counts as FAIL or "
      "worse, in the cases that were judged on this machine.</p>\n",
      Plural(static_cast<int64_t>(site.context.rules.size()), "rule"), conform, site.libraries.size());
  page << "<form id=\"filter\" class=\"bar\" hidden aria-label=\"Filter\">"
          "<label>Order <select name=\"sort\"><option value=\"\">worst first</option><option value=\"name\">by name"
          "</option></select></label><label>Show <select name=\"word\"><option value=\"\">all</option><option "
          "value=\"conforms\">conforms</option><option value=\"not\">does not conform</option></select></label><input "
          "type=\"search\" name=\"find\" aria-label=\"Search libraries\" placeholder=\"library, verdict\"><span "
          "id=\"shown\" class=\"soft\" aria-live=\"polite\"></span></form>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Libraries and chapters\"><table "
          "class=\"grid\">\n"
       << Head(parts) << "<tbody>\n";
  size_t place = 0;
  for (const LibraryView& library : site.libraries) page << Row(library, parts, place++);
  page << "</tbody></table></div>\n"
          "<p class=\"soft\">A cell is a chapter of rules. <b>✓ 8</b>: 8 rules were judged, and none is violated. "
          "<b>WARN 2/9</b>: 2 of 9 judged rules are violated, and the worst verdict is WARN. Rules that only invalid "
          "input can test are not counted. Counts of rules differ from those in the sentence, which counts cases.</p>\n"
       << Legend();
  if (!left_out.empty()) {
    page << "<p class=\"soft\">Chapters that were judged for no library here: ";
    for (size_t i = 0; i < left_out.size(); ++i)
      page << Xml("{}<a href=\"rules.html#{}\">{}</a>", std::string_view(i == 0 ? "" : ", "), left_out[i], left_out[i]);
    page << ".</p>\n";
  }
  page << "<h2>More</h2>\n<ul>\n<li><a href=\"features.html\">Features</a>: which library supports what</li>\n<li><a "
          "href=\"pairs.html\">Pairs</a>: what happens when one library hands an array to another one</li>\n<li><a "
          "href=\"rules.html\">Rules</a>: each rule with its source, and each library's verdict</li>\n<li><a "
          "href=\"choices.html\">Unspecified behaviour</a>: what libraries do where the specification leaves a choice"
          "</li>\n<li><a href=\"site.json\">site.json</a>: all of it as data</li>\n</ul>\n";
  return PageOf({.title = "DLPack conformance of libraries", .file = "index.html", .root = ""}, page);
}

}  // namespace dlpack_cts
