// runner/cli/explain_command.cc: the command `explain`, which prints everything known about one word or id.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/text.h"
#include "runner/base/glob.h"
#include "runner/catalogue/catalogue.h"
#include "runner/cli/explain/topics.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

/// Without what separates words: "first-violated-fact", "Re-export" and "run_id" have the same words as "first violated
/// fact", "reexport" and "run id".
std::string WithoutSeparators(std::string text) {
  std::erase_if(text, [](char c) { return c == '-' || c == ' ' || c == '_'; });
  return text;
}

/// The rules that have the text, as a hint.
std::string RulesWith(const Catalogue& catalogue, const std::string& text) {
  constexpr size_t kShown = 5;
  std::vector<std::string> ids;
  for (const auto& [id, rule] : catalogue.rules) {
    if (HasPart(rule.requirement, text)) ids.push_back(id);
  }
  if (ids.empty()) return "";
  const size_t more = ids.size() - std::min(kShown, ids.size());
  ids.resize(ids.size() - more);
  return "rules that name it: " + Joined(ids, ", ") + (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

}  // namespace

int ExplainCommand(const Options& options) {
  const Catalogue catalogue = ReadCatalogue();
  std::string wanted = options.what;
  if (!options.results.empty()) {
    PrintStoredCause(catalogue, wanted, options.results);
    return kAsExpected;
  }
  if (const auto cause = ParseCause(catalogue, wanted)) {
    PrintCause(catalogue, *cause);
    return kAsExpected;
  }
  if (PrintLimitation(catalogue, wanted)) return kAsExpected;
  const auto is_wanted = [&wanted](const std::string& id) {
    return IsSame(WithoutSeparators(id), WithoutSeparators(wanted));
  };
  for (const auto& [other, word] : OtherWords()) {
    if (!is_wanted(other)) continue;
    std::cout << other << " is called " << word << " here.\n";
    wanted = word;
    break;
  }
  std::vector<std::string> names;
  for (const auto& make : {RuleTopic, CaseTopic, FolderTopic, ChapterTopic, VerdictTopic, StrengthTopic, MarkTopic,
                           WordTopic, TermTopic, StepTopic, TriggerTopic, FieldTopic, ChoiceTopic}) {
    const Topic topic = make(catalogue);
    const auto same = std::ranges::find_if(topic.ids, is_wanted);
    if (same != topic.ids.end()) {
      topic.print(*same);
      return kAsExpected;
    }
    std::ranges::copy_if(topic.ids, std::back_inserter(names),
                         [&names](const std::string& id) { return std::ranges::find(names, id) == names.end(); });
  }
  const std::string cause = CauseIdNear(wanted);
  std::string near = cause.empty() ? Nearest(wanted, names) : "did you mean " + cause + "?";
  if (near.empty()) near = RulesWith(catalogue, wanted);
  throw Failure(
      "there is no rule, case, cause, choice, chapter, verdict, step, field or word of docs/glossary.md called " +
          wanted,
      near.empty() ? "dlpack-cts list rules, list cases and list choices print ids; docs/glossary.md has the words"
                   : near);
}

}  // namespace dlpack_cts::runner
