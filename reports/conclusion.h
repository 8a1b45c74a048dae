// reports/conclusion.h: the first lines of every report: does the library conform, what is worst, what to do next.
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
  /// "numpy 2.4.6 conforms to DLPack, with 2 WARN in 240 judged cases." A deviation counts whether it is known or not.
  /// A case or a cause that is FAIL, CRASH, LEAK, TIMEOUT or UNSAFE on valid input means that the library does not
  /// conform. A run of a single case does not say whether the library conforms: "numpy 2.4.6: the case ... is PASS."
  std::string verdict;
  /// "4 deviations are known, 0 are unexpected. 101 cases were not judged." and the like: one to four sentences.
  std::string details;
  /// worst | the worst deviation; rule | its id, and its requirement where the catalogue is known; run next | a
  /// command, or next | a sentence. Unexpected deviations come before known ones, and valid input before invalid input.
  std::vector<ReportRow> rows;
};

/// `folder` is the path of the output folder, with its slash: reproducers lie below it. Empty without one.
Conclusion ConclusionOf(const Run& run, const ReportContext& context, const std::string& folder);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_CONCLUSION_H_
