// reports/difference.h: what changed between two runs: causes and verdicts that are new, gone, graver or milder.
#ifndef DLPACK_CTS_REPORTS_DIFFERENCE_H_
#define DLPACK_CTS_REPORTS_DIFFERENCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

/// A cause or a case that is not the same in both runs.
struct ChangeSeen {
  std::optional<Verdict> before = {};  // empty: the old run has no such cause
  std::optional<Verdict> now = {};     // empty: the new run has no such cause
  std::string id;                      // of the cause, or of the case (with the subject, for a pair)
  std::string rule;
  std::string sentence;  // what happens, or happened; may be empty
};

/// Each list worst first. A case whose change a listed cause explains is not listed again.
struct Difference {
  /// A deviation that the old run lacks, a graver verdict, or a PASS that is now SKIP or BLOCKED.
  std::vector<ChangeSeen> worse;
  /// Neither: notes, other reasons not to judge a case, verdicts that are not deviations.
  std::vector<ChangeSeen> other;
  std::vector<ChangeSeen> better;
  int64_t same_causes = 0;
  int64_t same_cases = 0;
  /// Sentences about what could not be compared: cases that only one run has, other settings, a run that did not end.
  std::vector<std::string> remarks;
};

Difference DifferenceOf(const Run& before, const Run& now);

/// The names of the runs, the counts, then a line for each change, for a terminal.
std::string DifferenceText(const Run& before, const Run& now, const Difference& difference, const TextStyle& style);

/// The same as a section in Markdown.
std::string DifferenceMarkdown(const Run& before, const Run& now, const Difference& difference);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_DIFFERENCE_H_
