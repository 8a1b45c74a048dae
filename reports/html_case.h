// reports/html_case.h: one case on the page: rules, expected and actual values, timeline, recipe, reproducer.
#ifndef DLPACK_CTS_REPORTS_HTML_CASE_H_
#define DLPACK_CTS_REPORTS_HTML_CASE_H_

#include <map>
#include <string>

#include "reports/markup.h"
#include "reports/reports.h"

namespace dlpack_cts {

/// `<span class="v FAIL">FAIL</span>`.
Xml VerdictBadge(Verdict verdict);

/// A JSON value as rows of a table: `offer.shape` | `[2,3]`. Empty for null.
Xml HtmlTable(const nlohmann::json& value);

/// The ledger as a list of events, with one colour per slot. Empty for an empty ledger.
Xml HtmlTimeline(const nlohmann::json& ledger);

/// The filter button for cases with invalid input, whatever their verdict is.
inline constexpr std::string_view kInvalidInputChip = "invalid";

class HtmlCases {
 public:
  HtmlCases(const ReportContext& context, std::string out_dir, Xml& page);

  /// `id` is the anchor of the case, `rule_anchor` the prefix of the anchors of rules. The search of the page uses the
  /// case's line, its id and its subject, but not the folded part below it.
  void Print(const Result& result, const std::string& subject, const std::string& id, const std::string& rule_anchor);

  /// Prints the part that several reproducers share, once. Call it after the last case.
  void PrintShared();

 private:
  void PrintRules(const Result& result, const std::string& rule_anchor);
  void PrintReproducer(const Result& result);
  /// `more` names further elements whose text the button copies too.
  void PrintCopyable(const std::string& text, std::string_view css, std::string_view more = "");

  std::map<std::string, RuleText> rules_;
  std::string out_dir_;
  Xml& page_;
  size_t embedded_ = 0;                   // bytes of reproducers so far
  std::map<std::string, size_t> shared_;  // numbers by text
  int copies_ = 0;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_HTML_CASE_H_
