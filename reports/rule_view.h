// reports/rule_view.h: what a run says of each rule that its cases name.
#ifndef DLPACK_CTS_REPORTS_RULE_VIEW_H_
#define DLPACK_CTS_REPORTS_RULE_VIEW_H_

#include <string>
#include <vector>

#include "reports/outline.h"
#include "reports/reports.h"

namespace dlpack_cts {

/// One rule under one subject. Only the cases of legal recipes make its verdict; a rule that hostile cases alone name
/// is marked.
struct RuleView {
  RuleText text;  // only `id` where the catalogue has no such rule
  Verdict verdict = Verdict::kSkip;
  bool hostile_only = true;
  std::vector<const Result*> results;
};

/// Rules of one chapter, such as C-STRIDES.
struct RuleChapter {
  std::string name;
  std::vector<RuleView> rules;
};

/// In the order of the catalogue; rules that it does not hold come last. Rules that no case names are left out.
std::vector<RuleChapter> RulesOf(const SubjectOutline& subject, const ReportContext& context);

/// What a result says of one of its rules: a deviation counts against the rules that it breaks (all of its rules where
/// it names none), and the others are PASS.
Verdict VerdictFor(const Result& result, const std::string& rule);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_RULE_VIEW_H_
