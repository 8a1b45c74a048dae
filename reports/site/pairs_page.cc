// reports/site/pairs_page.cc: the matrix of pairs, and what happened in each of them.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "reports/pair_matrix.h"
#include "reports/site/page.h"
#include "reports/site/pages.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

/// The class of a cell. Its letter says the same without colour.
std::string_view ColourOf(PairState state) {
  switch (state) {
    case PairState::kShares:
      return "fine";
    case PairState::kWrong:
      return "poor";
    case PairState::kCrashes:
      return "bad";
    case PairState::kRefuses:
      return "grey";
    default:
      return "";
  }
}

std::string IdOf(const PairCell& cell) { return cell.producer + "-to-" + cell.consumer; }

std::string WordsOf(const PairCell& cell) {
  std::string words(ToText(cell.state));
  if (!cell.structs.empty()) words += ", " + cell.structs;
  if (!cell.why.empty()) words += ": " + OneLine(cell.why);
  return words;
}

Xml Matrix(const Pairs& pairs) {
  const std::vector<std::string> consumers = ConsumersOf(pairs);
  Xml table(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Producers and consumers\"><table "
      "class=\"grid\">\n<thead><tr><th scope=\"col\">exports \\ imports</th>");
  for (const std::string& consumer : consumers) table << Xml("<th class=\"up\" scope=\"col\"><b>{}</b></th>", consumer);
  table << "</tr></thead>\n<tbody>\n";
  for (const std::string& producer : ProducersOf(pairs)) {
    Xml cells;
    std::set<std::string_view> states;
    for (const std::string& consumer : consumers) {
      const PairCell* const cell = FindPair(pairs, producer, consumer);
      if (cell == nullptr) {
        cells << "<td class=\"cell\"></td>";
        continue;
      }
      states.insert(SignOf(cell->state));
      cells << Xml("<td class=\"cell {}\" title=\"{} to {}: {}\"><a href=\"#{}\"><b>{}</b>{}</a></td>",
                   ColourOf(cell->state), producer, consumer, WordsOf(*cell), IdOf(*cell), SignOf(cell->state),
                   StructSignOf(*cell));
    }
    table << Xml("<tr class=\"row\" data-words=\"{0}\" data-state=\"{1}\"><th scope=\"row\">{0}</th>{2}</tr>\n",
                 producer, Joined(states, " "), cells);
  }
  return table << "</tbody></table></div>\n";
}

Xml PairLegend(const Pairs& pairs) {
  Xml legend("<p class=\"soft legend\">A row exports, and a column imports.");
  for (size_t i = 0; i < kEnumerators<PairState>; ++i) {
    const auto state = static_cast<PairState>(i);
    const auto count = std::ranges::count(pairs.cells, state, &PairCell::state);
    if (count > 0)
      legend << Xml(" <b class=\"key {}\">{}</b> {} ({}).", ColourOf(state), SignOf(state), MeaningOf(state), count);
  }
  return legend << " Behind the letter: <b>v</b> versioned structs, <b>l</b> legacy structs, <b>t</b> the exchange "
                   "table. W and X are for the worst exchange of the pair: others may be right.</p>\n";
}

Xml Filter() {
  Xml form(
      "<form id=\"filter\" class=\"bar\" hidden aria-label=\"Filter\"><label>Rows with <select name=\"state\"><option "
      "value=\"\">anything</option>");
  for (size_t i = 0; i < kEnumerators<PairState>; ++i) {
    const auto state = static_cast<PairState>(i);
    form << Xml("<option value=\"{}\">{}</option>", SignOf(state), ToText(state));
  }
  return form << "</select></label><input type=\"search\" name=\"find\" aria-label=\"Search producers\" "
                 "placeholder=\"producer\"><span id=\"shown\" class=\"soft\" aria-live=\"polite\"></span></form>\n";
}

Xml CauseItem(const PairCause& cause) {
  Xml item("<li><span class=\"v {0}\">{0}</span> {1}", ToText(cause.verdict), cause.sentence);
  if (!cause.rule.empty()) item << Xml(" <a href=\"rules.html#{0}\">{0}</a>", cause.rule);
  if (!cause.accused.empty()) item << Xml("<br>whose: {}", cause.accused);
  if (!cause.example.empty()) item << Xml("<br>example: {}", cause.example);
  item << (cause.known.empty() ? Xml("<br>not listed as a known deviation of this pair")
                               : Xml("<br>known: {}", cause.known));
  return item << Xml("<br><small class=\"soft\">{}</small></li>\n", cause.id);
}

/// "numpy 2.4.6"; a link if the library has a page.
Xml NameOf(const Site& site, const std::string& name, const std::string& version) {
  const std::string text = version.empty() ? name : name + " " + version;
  const auto page = std::ranges::find_if(
      site.libraries, [&](const LibraryView& library) { return library.run->header.library == name; });
  if (page == site.libraries.end()) return Xml("{}", text);
  return Xml("<a href=\"{}/{}.html\">{}</a>", kLibraryFolder, page->key, text);
}

Xml Details(const Site& site, const PairCell& cell) {
  Xml section("<section id=\"{}\"><h3>{} to {}: {}</h3>\n<p>{} exports, {} imports", IdOf(cell), cell.producer,
              cell.consumer, ToText(cell.state), NameOf(site, cell.producer, cell.producer_version),
              NameOf(site, cell.consumer, cell.consumer_version));
  if (!cell.memory.empty()) section << Xml("; the simplest array: {}", cell.memory);
  if (!cell.structs.empty()) section << Xml("; {}", cell.structs);
  section << Xml(". {} judged.</p>\n", Plural(cell.judged, "case"));
  if (!cell.why.empty()) section << Xml("<p class=\"wrap\">{}</p>\n", cell.why);
  if (!cell.causes.empty()) {
    section << "<ul class=\"wrap\">\n";
    for (const PairCause& cause : cell.causes) section << CauseItem(cause);
    section << "</ul>\n";
  }
  if (!cell.limits.empty()) {
    section << "<p>Limitations:</p>\n<ul class=\"wrap\">\n";
    for (const std::string& limit : cell.limits) section << Xml("<li>{}</li>\n", limit);
    section << "</ul>\n";
  }
  return section << Xml("<p><code>dlpack-cts interop {} {} --out DIR</code> shows it again.</p></section>\n",
                        cell.producer, cell.consumer);
}

}  // namespace

std::string PairsPage(const Site& site) {
  const PageFrame frame = {.title = "Pairs of libraries", .file = "pairs.html", .root = ""};
  const Pairs& pairs = site.pairs;
  if (pairs.cells.empty())
    return PageOf(frame, Xml("<p>These results have no pairs. <code>dlpack-cts interop --all --out DIR</code> makes "
                             "them.</p>\n"));
  Xml page(
      "<p>What happens when one library hands an array to another one, in one process. {} were run over dtypes, "
      "layouts, "
      "empty arrays, 0 dimensions, offsets, read-only arrays and lifetimes. A click on a cell shows what "
      "happened.</p>\n",
      Plural(static_cast<int64_t>(pairs.cells.size()), "pair"));
  page << Filter() << Matrix(pairs) << PairLegend(pairs) << "<h2>Pair by pair</h2>\n";
  for (const std::string& producer : ProducersOf(pairs)) {
    page << Xml("<details class=\"more\"><summary>{} exports</summary>\n", producer);
    for (const PairCell& cell : pairs.cells) {
      if (cell.producer == producer) page << Details(site, cell);
    }
    page << "</details>\n";
  }
  page << Xml("<p class=\"soft\">Made by <code>{}</code>, started {}, on {}.</p>\n", pairs.header.command,
              pairs.header.started, pairs.header.machine);
  return PageOf(frame, page);
}

}  // namespace dlpack_cts
