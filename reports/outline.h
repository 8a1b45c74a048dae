// reports/outline.h: the order in which every report tells a run: subjects, then the chapters of the suites, then
// cases.
#ifndef DLPACK_CTS_REPORTS_OUTLINE_H_
#define DLPACK_CTS_REPORTS_OUTLINE_H_

#include <string>
#include <vector>

#include "results/result.h"
#include "results/tally.h"

namespace dlpack_cts {

/// Cases of one subject whose ids share all but the last part, such as `c-abi/strides`. Pointers into the run.
struct Chapter {
  std::string path;
  std::vector<const Result*> results;
};

struct SubjectOutline {
  std::string name;  // "numpy 2.4.6", or "numpy -> torch" for a pair
  std::vector<Chapter> chapters;
};

/// Subjects and chapters in the order of their first result; the run must outlive the outline.
std::vector<SubjectOutline> OutlineOf(const Run& run);

/// "numpy 2.4.6" on one line, whatever the library calls itself and its version.
std::string NameOf(const std::string& library, const std::string& version);

/// NameOf, or "numpy -> torch" for a pair.
std::string SubjectOf(const Result& result);

/// The last part of the case id.
std::string LeafOf(const std::string& case_id);

/// "12 PASS, 1 FAIL", worst first after PASS; "none" for an empty tally.
std::string CountsText(const Tally& tally);

Tally Count(const Chapter& chapter);

/// PASS, as expected: nothing more to say.
bool IsPlainPass(const Result& result);

/// What there is to say of a result in one sentence: an expectation that no longer holds comes before the message, what
/// a library said when it refused behind it.
std::string Sentence(const Result& result);

/// The lines of a profile under one heading: "takes", "legacy and versioned structs; all 41 types".
struct ProfilePart {
  std::string name;
  std::string text;
};

/// In the order of their first lines.
std::vector<ProfilePart> PartsOf(const ProfileLines& profile);

/// The causes that the case showed, worst first.
std::vector<const Cause*> CausesOf(const Run& run, const Result& result);

/// "3 cases: c-abi/data/byte-offset-is-added, ..., and 20 more".
std::string CasesText(const Cause& cause);

/// "100 examples: 60 held, 30 refused, 10 said nothing"; what did not occur is left out.
std::string ExamplesText(const Observation& seen);

/// Verdicts in the order in which reports list their counts: PASS, then worst first.
const std::vector<Verdict>& VerdictOrder();

/// The place of a verdict, worst first. PASS stands before BLOCKED and SKIP: one case that ran says more than another
/// that could not.
int Rank(Verdict verdict);

/// What no count can tell: deviations, notes, and listed deviations that no longer hold; only the ones that came as
/// expected, or only the others. Worst first, else in the subject's order.
std::vector<const Result*> Told(const SubjectOutline& subject, bool as_expected);

/// SKIP or BLOCKED for one reason.
struct NotJudged {
  Verdict verdict;
  std::string reason;
  std::vector<const Result*> results;
};

/// What was not judged by its reasons, the commonest first. Where a library put a refusal into several words, one of
/// them stands for all.
std::vector<NotJudged> NotJudgedOf(const SubjectOutline& subject);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_OUTLINE_H_
