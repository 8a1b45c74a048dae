// reports/site/features_page.cc: which library supports what.
#include "reports/site/answer_cell.h"
#include "reports/site/history.h"
#include "reports/site/page.h"
#include "reports/site/pages.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

Xml Head(const Site& site, const std::string& group) {
  Xml head("<thead><tr><th scope=\"col\">{}</th>", group);
  for (const LibraryView& library : site.libraries) {
    head << Xml("<th class=\"up\" scope=\"col\"><a href=\"{}/{}.html#features\">{}</a></th>", kLibraryFolder,
                library.key, library.name);
  }
  return head << "</tr></thead>\n<tbody>\n";
}

/// Below the answer: the releases that show the feature. Nothing without a history.
Xml SinceOf(const LibraryView& library, const std::string& feature) {
  if (library.history == nullptr) return {};
  const std::string words = SpanWords(SpanOf(*library.history, library.run->header.library_version, feature));
  return words.empty() ? Xml() : Xml("<br><small class=\"soft\">{}</small>", words);
}

Xml Cell(const LibraryView& library, const std::string& feature) {
  const FeatureAnswer& answer = library.answers.at(feature);
  const std::string why = library.name + ": " + OneLine(answer.text);
  const Xml since = SinceOf(library, feature);
  if (answer.support != Support::kWrong)
    return Xml("<td class=\"cell\" title=\"{}\">{}{}</td>", why, AnswerWords(answer), since);
  return Xml("<td class=\"cell {}\" title=\"{}\"><a href=\"{}/{}.html#{}\">{}</a>{}</td>",
             std::string_view(answer.verdict == Verdict::kWarn ? "poor" : "bad"), why, kLibraryFolder, library.key,
             answer.rule, AnswerWords(answer), since);
}

Xml Row(const Site& site, const Feature& feature) {
  Xml row(
      "<tr class=\"row\" id=\"{}\" data-words=\"{} {}\"><th scope=\"row\" class=\"requirement\"><b>{}</b><br><small "
      "class=\"soft\">{}</small></th>",
      feature.id, feature.title, feature.what, feature.title, feature.what);
  for (const LibraryView& library : site.libraries) row << Cell(library, feature.id);
  return row << "</tr>\n";
}

}  // namespace

std::string FeaturesPage(const Site& site) {
  Xml page(
      "<p>What each library was seen to do on a CPU. The page of a library says what shows each answer.</p>\n"
      "<p class=\"soft legend\"><b>yes</b>: it was seen. <b>no</b>: the library refuses it, although it accepts the "
      "same exchange without that, or the probes of the library found that it does not have it. <b>partly</b>: it "
      "copies, or does only a part. <b>FAIL</b>, <b>CRASH</b>, <b>WARN</b> and so on: it was tried, and a rule is "
      "violated. <b>unknown</b>: nothing that was judged shows it; often the adapter of dlpack-cts does not use it. "
      "A missing feature is not a violation. <b>since</b> and <b>lost in</b>: the judged releases that show it, yes or "
      "partly.</p>\n");
  page << "<form id=\"filter\" class=\"bar\" hidden aria-label=\"Filter\"><input type=\"search\" name=\"find\" "
          "aria-label=\"Search features\" placeholder=\"feature\"><span id=\"shown\" class=\"soft\" "
          "aria-live=\"polite\"></span></form>\n";
  std::string group;
  for (const Feature& feature : site.features) {
    if (feature.group != group) {
      if (!group.empty()) page << "</tbody></table></div></section>\n";
      group = feature.group;
      page << Xml("<section class=\"group\"><h2>{0}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"{0}\"><table class=\"grid\">\n",
                  group)
           << Head(site, "Feature");
    }
    page << Row(site, feature);
  }
  if (!group.empty()) page << "</tbody></table></div></section>\n";
  return PageOf({.title = "Which library supports what", .file = "features.html", .root = ""}, page);
}

}  // namespace dlpack_cts
