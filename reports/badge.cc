// reports/badge.cc: "DLPack | conforms, 2 WARN" as JSON and as a picture.
#include "reports/badge.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/conclusion.h"
#include "reports/markup.h"
#include "reports/outline.h"
#include "reports/text.h"
#include "reports/verdict_sentence.h"
#include "results/tally.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kLabel = "DLPack";

struct Badge {
  std::string message;
  std::string_view name;    // of the colour, for shields.io
  std::string_view colour;  // for SVG
};

/// "conforms", "conforms, 2 WARN", "does not conform, 1 CRASH": the worst verdict of valid input, and how often.
Badge BadgeOf(const Run& run) {
  const std::string_view word = WordFor(run);
  const Tally tally = Count(run.results, Scope::kConformance);
  Badge badge{.message = std::string(word), .name = "lightgrey", .colour = "#9f9f9f"};
  for (const Verdict verdict : VerdictOrder()) {
    if (!IsDeviation(verdict) || tally.of(verdict) == 0) continue;
    badge.message += fmt::format(", {} {}", tally.of(verdict), ToText(verdict));
    break;
  }
  if (word == "conforms") {
    const bool clean = badge.message == word;
    badge.name = clean ? "brightgreen" : "yellow";
    badge.colour = clean ? "#2f7d32" : "#8a6d00";
  } else if (word == "does not conform") {
    badge.name = "red";
    badge.colour = "#b3261e";
  }
  return badge;
}

/// About as wide as the text in 11 px Verdana; textLength fits it exactly.
size_t WidthOf(std::string_view text) {
  constexpr size_t kCharacter = 7;
  constexpr size_t kMargin = 10;
  return text.size() * kCharacter + kMargin;
}

}  // namespace

void PrintBadgeJson(const Run& run, std::ostream& out) {
  const Badge badge = BadgeOf(run);
  const nlohmann::ordered_json json = {
      {"schemaVersion", 1}, {"label", kLabel}, {"message", badge.message}, {"color", badge.name}};
  out << json.dump(2) << "\n";
}

void PrintBadgeSvg(const Run& run, const ReportContext& context, std::ostream& out) {
  const Badge badge = BadgeOf(run);
  const size_t left = WidthOf(kLabel);
  const size_t right = WidthOf(badge.message);
  const size_t all = left + right;
  Xml picture("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"20\" role=\"img\">\n", all);
  picture << Xml("<title>{}</title>\n", OneLine(VerdictSentence(run, context), kLongText))
          << Xml("<rect width=\"{}\" height=\"20\" fill=\"#4a4a4a\"/>\n", left)
          << Xml("<rect x=\"{}\" width=\"{}\" height=\"20\" fill=\"{}\"/>\n", left, right, badge.colour)
          << "<g fill=\"#ffffff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n"
          << Xml("<text x=\"5\" y=\"14\" textLength=\"{}\">{}</text>\n", left - 10, kLabel)
          << Xml("<text x=\"{}\" y=\"14\" textLength=\"{}\">{}</text>\n", left + 5, right - 10, badge.message)
          << "</g>\n</svg>\n";
  out << picture.text();
}

}  // namespace dlpack_cts
