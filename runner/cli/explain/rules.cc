// runner/cli/explain/rules.cc: explains rules, cases, and the chapters of rules.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "reports/text.h"
#include "runner/catalogue/sources.h"
#include "runner/cli/explain/print.h"
#include "runner/cli/explain/topics.h"

namespace dlpack_cts::runner {
namespace {

void PrintRule(const Catalogue& catalogue, const Rule& rule) {
  std::cout << rule.id << "  (" << rule.actor << ", " << rule.level << ", DLPack " << rule.versions << ")\n";
  PrintText("", rule.requirement);
  PrintText("strength: ", rule.StrengthText() + "; a violation counts as " + std::string(ToText(rule.breach)) +
                              "; single cases may count less (docs/results.md)");
  PrintText("source: ", SourceText(catalogue.source_keys, rule.source));
  for (const std::string& link : SourceLinks(catalogue.source_keys, rule.source))
    std::cout << "  link: " << link << "\n";
  const auto print = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) PrintText(name, WrittenOut(catalogue.source_keys, text));
  };
  for (const std::string& accepted : rule.accept) print("also conforms: ", accepted);
  print("false alarm to avoid: ", rule.trap);
  print("one mutant is enough: ", rule.once);
  print("note: ", rule.note);
  const std::string status = catalogue.StatusOf(rule);
  PrintText("status: ", status + (status == "tested" ? "" : ": " + rule.reason));
  PrintAll("  cases: ", catalogue.CasesOf(rule.id));
  PrintAll("  mutants: ", catalogue.MutantsOf(rule.id));
}

void PrintCase(const Catalogue& catalogue, const CaseInfo& info) {
  std::cout << info.id << "  (" << ToText(info.role) << (info.hostile ? ", invalid input: counted separately" : "")
            << ")\n";
  for (const std::string& id : info.rules) {
    if (catalogue.rules.contains(id)) PrintRule(catalogue, catalogue.rules.at(id));
  }
}

/// C-STRIDES of C-STRIDES-03.
std::string ChapterOf(const std::string& rule) { return rule.substr(0, rule.rfind('-')); }

void PrintChapter(const Catalogue& catalogue, const std::string& chapter) {
  std::vector<const Rule*> rules;
  for (const auto& [id, rule] : catalogue.rules) {
    if (ChapterOf(id) == chapter) rules.push_back(&rule);
  }
  const auto tested = std::count_if(rules.begin(), rules.end(),
                                    [&](const Rule* rule) { return catalogue.StatusOf(*rule) == "tested"; });
  std::cout << fmt::format("{}  (a chapter with {}, of which {} tested; {})\n", chapter,
                           Plural(static_cast<int64_t>(rules.size()), "rule"),
                           tested == 1 ? "1 is" : fmt::format("{} are", tested), rules.front()->level);
  for (const Rule* rule : rules) {
    const std::string status = catalogue.StatusOf(*rule);
    const std::string untested = status == "tested" ? "" : " (" + status + ")";
    PrintText(fmt::format("{}  {}{}  ", rule->id, ToText(rule->breach), untested), rule->requirement);
  }
  std::cout << "  dlpack-cts explain RULE prints a rule with its source, cases and mutants.\n";
}

}  // namespace

Topic RuleTopic(const Catalogue& catalogue) {
  Topic topic{
      .kind = "rule", .ids = {}, .print = [&](const std::string& id) { PrintRule(catalogue, catalogue.rules.at(id)); }};
  for (const auto& [id, unused] : catalogue.rules) topic.ids.push_back(id);
  return topic;
}

Topic CaseTopic(const Catalogue& catalogue) {
  Topic topic{
      .kind = "case", .ids = {}, .print = [&](const std::string& id) { PrintCase(catalogue, *catalogue.Find(id)); }};
  for (const CaseInfo& info : catalogue.cases) topic.ids.push_back(info.id);
  return topic;
}

Topic FolderTopic(const Catalogue& catalogue) {
  std::map<std::string, std::vector<std::string>> cases;
  for (const CaseInfo& info : catalogue.cases) {
    for (size_t end = info.id.find('/'); end != std::string::npos; end = info.id.find('/', end + 1))
      cases[info.id.substr(0, end)].push_back(info.id);
  }
  Topic topic{.kind = "folder", .ids = {}, .print = [cases](const std::string& id) {
                const std::vector<std::string>& all = cases.at(id);
                std::cout << id << "  (" << Plural(static_cast<int64_t>(all.size()), "case") << ")\n";
                PrintAll("  cases: ", all);
                PrintText("", "dlpack-cts run LIBRARY --select '" + id + "/*' runs them.");
              }};
  for (const auto& [id, unused] : cases) topic.ids.push_back(id);
  return topic;
}

Topic ChapterTopic(const Catalogue& catalogue) {
  Topic topic{.kind = "chapter", .ids = {}, .print = [&](const std::string& id) { PrintChapter(catalogue, id); }};
  for (const auto& [id, unused] : catalogue.rules) {
    const std::string chapter = ChapterOf(id);
    if (topic.ids.empty() || topic.ids.back() != chapter) topic.ids.push_back(chapter);
  }
  return topic;
}

}  // namespace dlpack_cts::runner
