// reports/brief.h: what is unexpected in a run, one line each: for a terminal, and as annotations of GitHub Actions.
#ifndef DLPACK_CTS_REPORTS_BRIEF_H_
#define DLPACK_CTS_REPORTS_BRIEF_H_

#include <ostream>
#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// A cause or limitations that the expectations do not list, or a deviation that no such cause explains.
struct Unexpected {
  Verdict verdict = Verdict::kFail;
  std::string rule;
  std::string where;  // the id of the cause, of the limitations or of the case
  std::string text;
};

/// Worst first; each defect once, and limitations by property.
std::vector<Unexpected> UnexpectedOf(const Run& run);

/// "numpy 2.4.6: FAIL C-STRIDES-05 import/place/strided: the imported array has wrong strides", and nothing for a run
/// without unexpected results.
void PrintBrief(const Run& run, std::ostream& out);

/// The same as workflow commands of GitHub Actions: "::error title=...::...", ::warning for WARN, ::notice for NOTE.
/// Also an ::error for each entry of the expectations that no longer occurs, which a run prints by itself.
void PrintAnnotations(const Run& run, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_BRIEF_H_
