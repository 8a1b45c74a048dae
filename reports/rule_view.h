// reports/rule_view.h: the verdict of a run for each rule that its cases name.
#ifndef DLPACK_CTS_REPORTS_RULE_VIEW_H_
#define DLPACK_CTS_REPORTS_RULE_VIEW_H_

#include <string>
#include <vector>

#include "reports/outline.h"
#include "reports/reports.h"

namespace dlpack_cts {

/// One rule for one subject. Cases with invalid input count only if the rule has no other cases; then it is marked.
struct RuleView {
  RuleText text;  // only `id` if the catalogue has no such rule
  Verdict verdict = Verdict::kSkip;
  bool hostile_only = true;
  std::vector<const Result*> results;
};

/// Rules of one chapter, such as C-STRIDES.
struct RuleChapter {
  std::string name;
  std::vector<RuleView> rules;
};

/// In the order of the catalogue; rules that it does not contain come last. Rules without a case are left out.
std::vector<RuleChapter> RulesOf(const SubjectOutline& subject, const ReportContext& context);

/// The verdict of a result for one of its rules. A deviation counts for the rules that it violates (for all rules of
/// the case if it names no violated rule); the others are PASS.
Verdict VerdictFor(const Result& result, const std::string& rule);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_RULE_VIEW_H_
