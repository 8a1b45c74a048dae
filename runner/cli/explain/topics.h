// runner/cli/explain/topics.h: the kinds of things that `explain` knows; each has ids, and prints what is known of one.
#ifndef DLPACK_CTS_RUNNER_CLI_EXPLAIN_TOPICS_H_
#define DLPACK_CTS_RUNNER_CLI_EXPLAIN_TOPICS_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runner/catalogue/catalogue.h"
#include "runner/cli/explain/cause_id.h"

namespace dlpack_cts::runner {

/// The ids of one kind, and a function that prints what is known of one of them.
struct Topic {
  std::string_view kind;  // "rule"
  std::vector<std::string> ids;
  std::function<void(const std::string& id)> print;
};

Topic RuleTopic(const Catalogue& catalogue);
Topic CaseTopic(const Catalogue& catalogue);
/// The folders of case ids: c-abi, c-abi/strides.
Topic FolderTopic(const Catalogue& catalogue);
Topic ChapterTopic(const Catalogue& catalogue);
/// The questions that the specification leaves open: A-16.
Topic ChoiceTopic(const Catalogue& catalogue);
Topic VerdictTopic(const Catalogue& catalogue);
/// The words of docs/glossary.md.
Topic WordTopic(const Catalogue& catalogue);
/// What reports call the parts of a run: example, seed.
Topic TermTopic(const Catalogue& catalogue);
/// The fields of the lines in result files: run_id, hostile.
Topic FieldTopic(const Catalogue& catalogue);
/// Words that others use, with the one that is used here: zero-size, empty.
std::map<std::string, std::string> OtherWords();
/// MUST, SHOULD, MAY and IMPLIED.
Topic StrengthTopic(const Catalogue& catalogue);
/// What reports write behind a verdict: known, invalid input.
Topic MarkTopic(const Catalogue& catalogue);
/// The steps of exchanges: drop-source.
Topic StepTopic(const Catalogue& catalogue);
/// The last parts of ids of causes: byte-offset.
Topic TriggerTopic(const Catalogue& catalogue);

/// The id of a cause whose parts are the nearest to those of the text; empty if the text does not look like an id.
std::string CauseIdNear(const std::string& text);
/// False if the text is not the id of a limitation, which begins with "limit/".
bool PrintLimitation(const Catalogue& catalogue, const std::string& id);
void PrintCause(const Catalogue& catalogue, const CauseParts& parts);
/// What the stored run says about its cause. The id may be shortened (runner/run/stored_cause.h).
void PrintStoredCause(const Catalogue& catalogue, const std::string& id, const std::string& results);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_EXPLAIN_TOPICS_H_
