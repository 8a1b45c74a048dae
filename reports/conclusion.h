// reports/conclusion.h: the first lines of every report: does the library conform, the worst deviation, what to do
// next.
#ifndef DLPACK_CTS_REPORTS_CONCLUSION_H_
#define DLPACK_CTS_REPORTS_CONCLUSION_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/evidence.h"
#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

struct Conclusion {
  /// VerdictSentence().
  std::string verdict;
  /// One to four sentences: "4 deviations are known, 0 are unexpected. 290 of 418 cases were judged."
  std::string details;
  /// Rows: worst | the worst deviation; rule | its id, and its requirement if the catalogue is known; run next | a
  /// command, or next | a sentence. Unexpected deviations come before known ones, and valid input before invalid input.
  std::vector<ReportRow> rows;
};

/// The verdict in a few words, for a badge: "conforms", "does not conform", "not judged", "incomplete".
std::string_view WordFor(const Run& run);

/// `folder` is the path of the output folder with a slash at its end, where the reproducers are; empty without one.
Conclusion ConclusionOf(const Run& run, const ReportContext& context, const std::string& folder);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_CONCLUSION_H_
