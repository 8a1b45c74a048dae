// reports/rule_view.cc: the verdict of a run for each rule that its cases name.
#include "reports/rule_view.h"

#include <algorithm>
#include <map>
#include <set>

namespace dlpack_cts {
namespace {

void Add(const Result& result, RuleView& view) {
  const Verdict verdict = VerdictFor(result, view.text.id);
  const bool first_legal = view.hostile_only && !result.hostile;
  const bool counts = view.results.empty() || first_legal || result.hostile == view.hostile_only;
  if (counts && (view.results.empty() || first_legal || Rank(verdict) < Rank(view.verdict))) view.verdict = verdict;
  if (first_legal) view.hostile_only = false;
  view.results.push_back(&result);
}

}  // namespace

Verdict VerdictFor(const Result& result, const std::string& rule) {
  if (!IsDeviation(result.verdict) || result.breached.empty()) return result.verdict;
  const bool breached = std::find(result.breached.begin(), result.breached.end(), rule) != result.breached.end();
  return breached ? result.verdict : Verdict::kPass;
}

std::vector<RuleChapter> RulesOf(const SubjectOutline& subject, const ReportContext& context) {
  std::map<std::string, RuleView> named;
  std::vector<std::string> order;
  for (const RuleText& text : context.rules) order.push_back(text.id);
  for (const Chapter& chapter : subject.chapters) {
    for (const Result* result : chapter.results) {
      std::set<std::string> rules(result->rules.begin(), result->rules.end());
      rules.insert(result->breached.begin(), result->breached.end());
      for (const std::string& rule : rules) {
        const auto [found, added] = named.try_emplace(rule);
        found->second.text.id = rule;
        Add(*result, found->second);
        if (added && std::find(order.begin(), order.end(), rule) == order.end()) order.push_back(rule);
      }
    }
  }
  for (const RuleText& text : context.rules) {
    const auto found = named.find(text.id);
    if (found != named.end()) found->second.text = text;
  }
  std::vector<RuleChapter> chapters;
  for (const std::string& id : order) {
    const auto found = named.find(id);
    if (found == named.end()) continue;
    const std::string name = id.substr(0, id.rfind('-'));
    const auto same =
        std::find_if(chapters.begin(), chapters.end(), [&](const RuleChapter& c) { return c.name == name; });
    RuleChapter& chapter = same != chapters.end() ? *same : chapters.emplace_back(RuleChapter{name, {}});
    chapter.rules.push_back(std::move(found->second));
    named.erase(found);
  }
  return chapters;
}

}  // namespace dlpack_cts
