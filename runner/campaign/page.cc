// runner/campaign/page.cc: writes the page of a campaign.
#include "runner/campaign/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/text.h"

namespace dlpack_cts::runner {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 160;

constexpr std::string_view kStyle =
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left;vertical-align:top}"
    "svg{width:100%;height:auto;border-bottom:1px solid #888;border-left:1px solid #888}"
    "polyline{fill:none;stroke:#1f5fbf;stroke-width:2}figure{margin:1.5em 0}figcaption{color:#555}";

/// One curve over time.
template <typename Value>
std::string Plot(std::string_view what, const std::vector<CampaignPoint>& points, const Value& value) {
  const double seconds = std::max(1e-9, points.back().seconds);
  int64_t top = 1;
  for (const CampaignPoint& point : points) top = std::max(top, value(point));
  std::string line = fmt::format("0,{:.0f}", kHeight);
  for (const CampaignPoint& point : points) {
    line += fmt::format(" {:.1f},{:.1f}", kWidth * point.seconds / seconds,
                        kHeight * (1 - static_cast<double>(value(point)) / static_cast<double>(top)));
  }
  return fmt::format(
      "<figure><svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\"><polyline points=\"{}\"/></svg>"
      "<figcaption>{}: {} after {:.0f} s</figcaption></figure>\n",
      kWidth, kHeight, what, line, what, value(points.back()), points.back().seconds);
}

std::string Row(const BookedCause& cause) {
  const std::string sentence = EscapeXml(OneLine(cause.sentence));
  const std::string shown = cause.folder.empty()
                                ? sentence
                                : fmt::format("<a href=\"{}/report.txt\">{}</a>", EscapeXml(cause.folder), sentence);
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}<br><code>{}</code></td><td>{}</td><td>{:.0f} s</td><td>{}</td></tr>\n",
      ToText(cause.verdict), EscapeXml(cause.rule), shown, EscapeXml(cause.id), cause.count, cause.seconds,
      cause.listed ? "listed" : "");
}

}  // namespace

std::string CampaignPage(const CampaignState& state, const std::vector<BookedCause>& causes,
                         const std::vector<CampaignPoint>& points) {
  const std::string title =
      EscapeXml(fmt::format("Campaign {} on {} {}", state.target, state.library, state.library_version));
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{}</title><style>{}</style></head><body>\n"
      "<h1>{}</h1>\n<p>{} exchanges in {:.0f} s and {:.0f} s of CPU time, seed {}, {} legs: "
      "{} conclusive, {} refused, {} inconclusive.</p>\n",
      title, kStyle, title, state.counts.exchanges, state.seconds, state.cpu_seconds, state.seed, state.legs,
      state.counts.conclusive, state.counts.refused, state.counts.inconclusive);
  if (causes.empty()) {
    page += "<p>No deviation was found.</p>\n";
  } else {
    page +=
        "<table><tr><th>verdict</th><th>rule</th><th>cause</th><th>exchanges</th><th>first seen</th><th></th></tr>\n";
    for (const BookedCause& cause : causes) page += Row(cause);
    page += "</table>\n";
  }
  if (!points.empty()) {
    page += Plot("exchanges", points, [](const CampaignPoint& point) { return point.counts.exchanges; });
    page += Plot("causes", points, [](const CampaignPoint& point) { return point.causes; });
  }
  return page + "</body></html>\n";
}

}  // namespace dlpack_cts::runner
