// reports/html_case.cc: one case on the page.
#include "reports/html_case.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reports/code_spans.h"
#include "reports/evidence.h"
#include "reports/outline.h"
#include "reports/sources.h"
#include "reports/text.h"
#include "results/tally.h"
#include "results/uncounted.h"

namespace dlpack_cts {
namespace {

constexpr size_t kOneReproducer = 128 * 1024;
constexpr size_t kAllReproducers = 768 * 1024;
constexpr size_t kExample = 4096;

/// The file's text, or "" if it is missing, too large, or not inside the folder. The result file and the folder may
/// come from anywhere, so a link could lead to a file that the reader of the page must not see.
std::string TextBelow(const std::string& folder, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  if (name.empty() || path.is_absolute() || *path.begin() == "..") return "";
  std::error_code code;
  const std::filesystem::path whole = std::filesystem::canonical(folder, code) / path;
  if (code || std::filesystem::canonical(whole, code) != whole || code) return "";
  if (!std::filesystem::is_regular_file(whole, code)) return "";
  const auto size = std::filesystem::file_size(whole, code);
  if (code || size > kOneReproducer) return "";
  std::ifstream file(whole, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The offset of the part that is equal in every reproducer; the size of the text if it has no such part.
size_t SharedPart(const std::string& text) {
  const size_t found = text.find("\n# ---- Supporting code");
  return found == std::string::npos ? text.size() : found + 1;
}

/// A reproducer may be longer than other texts.
Xml Whole(const std::string& text) { return Xml::AlreadySafe(EscapeXml(text, kOneReproducer)); }

/// A label behind the name of a case.
Xml Tag(std::string_view words) { return Xml(" <span class=\"tag\">{}</span>", words); }

}  // namespace

HtmlCases::HtmlCases(const ReportContext& context, std::string out_dir, Xml& page)
    : out_dir_(std::move(out_dir)), page_(page) {
  for (const RuleText& rule : context.rules) rules_[rule.id] = rule;
}

void HtmlCases::Print(const Result& result, const std::string& subject, const std::string& id,
                      const std::string& rule_anchor) {
  const std::string sentence = Sentence(result);
  page_ << Xml("<details class=\"case{}\" id=\"{}\" data-v=\"{}\" data-t=\"{}\">\n<summary>{} <span{}><b>{}</b>",
               std::string_view(result.as_expected ? "" : " x"), id,
               result.hostile ? kInvalidInputChip : ToText(result.verdict), subject + " " + result.seen.case_id,
               VerdictBadge(result.verdict), sentence.empty() ? Xml(" class=\"bare\"") : Xml(),
               LeafOf(result.seen.case_id));
  for (const std::string& rule : RulesNamed(result)) {
    page_ << " <span class=\"rule\">" << rule << "</span>";
  }
  if (!result.as_expected) page_ << Tag("unexpected");
  if (IsListed(result)) page_ << Tag("known deviation");
  if (IsUncounted(result)) page_ << Tag("does not count");
  if (result.hostile) page_ << Tag("invalid input");
  page_ << "</span>";
  if (!sentence.empty()) page_ << " <span class=\"say\">" << OneLine(sentence) << "</span>";
  page_ << "</summary>\n";
  page_ << "<div class=\"body\">\n";
  PrintRules(result, rule_anchor);
  if (IsListed(result)) page_ << "<p>Known because: " << result.expectation << "</p>\n";
  if (IsUncounted(result)) page_ << "<p>It does not fail the run: " << result.expectation << "</p>\n";
  const Evidence evidence = EvidenceOf(result.seen, result.verdict);
  if (!evidence.example.empty())
    page_ << "<p>Example: <code>" << OneLine(evidence.example, kExample) << "</code></p>\n";
  // The sentence of a skipped case contains what it got.
  const bool judged = IsDeviation(result.verdict) || result.verdict == Verdict::kNote;
  if (!evidence.expected.empty() || (judged && !evidence.got.empty())) {
    page_ << Xml(
        "<div class=\"pair\"><div><h4>{}</h4><pre class=\"wrap\">{}</pre></div>"
        "<div><h4>{}</h4><pre class=\"wrap\">{}</pre></div></div>\n",
        std::string_view(evidence.accuses ? "Expected" : "Also fine"), evidence.expected,
        std::string_view(evidence.accuses ? "Got" : "Observed"), evidence.got);
  }
  for (const std::string& text : DeviationTexts(result.seen)) {
    page_ << "<p>Differs from the reference: " << text << "</p>\n";
  }
  const bool plain = IsPlainPass(result);
  // The events of cases that pass would make the page several times larger.
  if (!plain && !result.seen.ledger.empty())
    page_ << "<h4>What happened (ledger)</h4>\n" << HtmlTimeline(result.seen.ledger);
  if (!plain && !result.seen.recipe.empty()) page_ << "<h4>Recipe</h4>\n" << HtmlTable(result.seen.recipe);
  PrintReproducer(result);
  if (!result.replay.empty()) {
    page_ << "<h4>Replay</h4>\n";
    PrintCopyable(result.replay, "wrap");
  }
  page_ << Xml("<p class=\"soft\">{}, {}, seed {}{}</p>\n</div>\n</details>\n", ExamplesText(result.seen),
               Duration(result.seen.seconds), result.seen.seed,
               result.seen.fact.empty() ? std::string() : ", decided by " + result.seen.fact);
}

void HtmlCases::PrintRules(const Result& result, const std::string& rule_anchor) {
  page_ << "<p class=\"mono soft\">" << result.seen.case_id << "</p>\n<p>";
  const std::vector<std::string>& ids = RulesNamed(result);
  bool first = true;
  for (const std::string& id : ids) {
    if (!first) page_ << "<br>";
    first = false;
    const bool breaks = IsDeviation(result.verdict) && !result.breached.empty();
    page_ << Xml("{} <a href=\"#{}{}\">{}</a>", std::string_view(breaks ? "Violates" : "Checks"), rule_anchor, id, id);
    const auto found = rules_.find(id);
    if (found != rules_.end()) {
      page_ << Xml(": {} <span class=\"soft\">({}; {})</span>", WithCode(found->second.requirement),
                   found->second.strength, SourcesInHtml(found->second));
    }
  }
  page_ << "</p>\n";
}

void HtmlCases::PrintReproducer(const Result& result) {
  if (result.reproducer.empty()) {
    if (!result.as_expected)
      page_ << "<p class=\"soft\">No standalone reproducer; the replay command runs this case.</p>\n";
    return;
  }
  page_ << "<h4>Reproducer: <code>" << result.reproducer << "</code></h4>\n";
  const std::string text = TextBelow(out_dir_, result.reproducer);
  const size_t cut = SharedPart(text);
  const bool known = shared_.contains(text.substr(cut));
  const size_t own = known ? cut : text.size();
  if (text.empty() || embedded_ + own > kAllReproducers) return;
  embedded_ += own;
  if (cut == text.size()) {
    PrintCopyable(text, "");
    return;
  }
  const auto found = shared_.emplace(text.substr(cut), shared_.size() + 1).first;
  PrintCopyable(text.substr(0, cut), "", fmt::format(" support{}", found->second));
  page_ << Xml(
      "<p class=\"soft\">The <a href=\"#support{}\">supporting code</a> follows; it is the same in every reproducer. "
      "Copy copies both.</p>\n",
      found->second);
}

void HtmlCases::PrintShared() {
  for (const auto& [text, number] : shared_) {
    page_ << Xml(
        "<details class=\"chapter\">\n<summary><h3>Supporting code of the reproducers</h3><span class=\"soft\">the "
        "second "
        "part "
        "of each script</span></summary>\n<pre id=\"support{}\" tabindex=\"0\">{}</pre>\n</details>\n",
        number, Whole(text));
  }
}

void HtmlCases::PrintCopyable(const std::string& text, std::string_view css, std::string_view more) {
  ++copies_;
  page_ << Xml(
      "<button class=\"copy\" data-of=\"copy{0}{3}\" hidden>Copy</button><pre class=\"{1}\" id=\"copy{0}\" "
      "tabindex=\"0\">{2}</pre>\n",
      copies_, css, Whole(text), more);
}

}  // namespace dlpack_cts
