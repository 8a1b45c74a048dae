// reports/outline.h: the order of every report: subjects, the chapters of the suites, cases.
#ifndef DLPACK_CTS_REPORTS_OUTLINE_H_
#define DLPACK_CTS_REPORTS_OUTLINE_H_

#include <string>
#include <string_view>
#include <vector>

#include "results/result.h"
#include "results/tally.h"

namespace dlpack_cts {

/// Cases of one subject whose ids differ only in the last part, such as `c-abi/strides`. Points into the run.
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

/// "The run was interrupted" and the like: why cases did not run; empty for a complete run.
std::string_view EarlyEnd(const Run& run);

/// "numpy 2.4.6" on one line, whatever characters name and version contain.
std::string NameOf(const std::string& library, const std::string& version);

/// NameOf, or "numpy -> torch" for a pair.
std::string SubjectOf(const Result& result);

/// Whether the run is of a producer and a consumer, as of `interop`.
bool IsOfPair(const Run& run);

/// The last part of the case id.
std::string LeafOf(const std::string& case_id);

/// "12 PASS, 1 FAIL": PASS, then worst first; "none" for an empty tally.
std::string CountsText(const Tally& tally);

Tally Count(const Chapter& chapter);

/// Whether it is PASS and expected: a report has nothing to add.
bool IsPlainPass(const Result& result);

/// A result in one sentence. "A listed deviation no longer occurs" comes before the message; the text of a refusal
/// comes after it.
std::string Sentence(const Result& result);

/// The lines of a profile under one heading: "imports", "legacy and versioned structs; all 41 types".
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

/// "100 examples: 60 held, 30 refused, 10 were inconclusive; not one of the 29 in which ndim is 0 was conclusive"; what
/// did not occur is left out.
std::string ExamplesText(const Observation& seen);

/// Verdicts in the order in which reports list their counts: PASS, then worst first.
const std::vector<Verdict>& VerdictOrder();

/// The position of a verdict, worst first. PASS comes before BLOCKED and SKIP: a case that ran says more than one that
/// could not.
int Rank(Verdict verdict);

/// The results that a report shows one by one: deviations, notes, and listed deviations that no longer occur. Either
/// the expected or the unexpected ones. Worst first, otherwise in the order of the subject.
std::vector<const Result*> ShownResults(const SubjectOutline& subject, bool as_expected);

/// Cases that are SKIP or BLOCKED for one reason.
struct NotJudged {
  Verdict verdict;
  std::string reason;
  std::vector<const Result*> results;
};

/// Cases that were not judged, by reason; the most frequent reason first. If a library refused with several texts for
/// one reason, one text is shown.
std::vector<NotJudged> NotJudgedOf(const SubjectOutline& subject);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_OUTLINE_H_
