// reports/limitations.h: observed limitations as reports show them, one line for each property of an entry point.
#ifndef DLPACK_CTS_REPORTS_LIMITATIONS_H_
#define DLPACK_CTS_REPORTS_LIMITATIONS_H_

#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// Whether the cause is a limitation that violates no rule. Reports show these apart from the causes to fix.
inline bool IsObservedLimitation(const Cause& cause) { return cause.limitation && cause.verdict == Verdict::kNote; }

/// The causes to fix: all others, worst first. Those that only invalid input shows come last.
std::vector<const Cause*> CausesToFix(const Run& run);

/// Limitations of one entry point by one property.
struct LimitationGroup {
  bool as_expected = true;
  std::string expectation;
  std::string text;     // "from_dlpack refuses tensors of dtype bfloat16, complex32"
  std::string control;  // "accepted, as is the same exchange without that"
  std::string got;      // of the first one: "refused: BufferError: ..."
  std::string id;       // "limit/import-object/dtype=*"
  int64_t count = 0;
};

/// Unexpected ones first, otherwise in the order of the run.
std::vector<LimitationGroup> LimitationsOf(const Run& run);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_LIMITATIONS_H_
