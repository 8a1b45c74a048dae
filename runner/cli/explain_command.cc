// runner/cli/explain_command.cc: the command `explain`, which prints everything known about one word or id.
#include <algorithm>
#include <string>
#include <vector>

#include "base/failure.h"
#include "runner/base/glob.h"
#include "runner/catalogue/catalogue.h"
#include "runner/cli/explain/topics.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

/// "first-violated-fact" is a word of the glossary too.
std::string WithBlanks(std::string text) {
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

}  // namespace

int ExplainCommand(const Options& options) {
  const Catalogue catalogue = ReadCatalogue();
  const std::string& wanted = options.what;
  if (!options.results.empty()) {
    PrintStoredCause(catalogue, wanted, options.results);
    return kAsExpected;
  }
  if (const auto cause = ParseCause(catalogue, wanted)) {
    PrintCause(catalogue, *cause);
    return kAsExpected;
  }
  if (PrintLimitation(catalogue, wanted)) return kAsExpected;
  std::vector<std::string> names;
  for (const auto& make : {RuleTopic, CaseTopic, ChapterTopic, VerdictTopic, WordTopic, ChoiceTopic}) {
    const Topic topic = make(catalogue);
    const auto same = std::find_if(topic.ids.begin(), topic.ids.end(), [&](const std::string& id) {
      return IsSame(id, wanted) || IsSame(id, WithBlanks(wanted));
    });
    if (same != topic.ids.end()) {
      topic.print(*same);
      return kAsExpected;
    }
    names.insert(names.end(), topic.ids.begin(), topic.ids.end());
  }
  const std::string cause = CauseIdNear(wanted);
  const std::string near = cause.empty() ? Nearest(wanted, names) : "did you mean " + cause + "?";
  throw Failure("there is no rule, case, cause, choice, chapter, verdict or word of the glossary called " + wanted,
                near.empty()
                    ? "dlpack-cts list rules, list cases and list choices print ids; docs/glossary.md has the words"
                    : near);
}

}  // namespace dlpack_cts::runner
