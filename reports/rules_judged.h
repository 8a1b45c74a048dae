// reports/rules_judged.h: how many rules of the catalogue a run judged, and in short words why not the others.
#ifndef DLPACK_CTS_REPORTS_RULES_JUDGED_H_
#define DLPACK_CTS_REPORTS_RULES_JUDGED_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/reports.h"
#include "results/result.h"

namespace dlpack_cts {

/// Why some rules were not judged, in at most four words: "no CUDA device", "exchange table not claimed".
struct WhyNot {
  std::string phrase;
  int64_t rules = 0;
};

struct RulesJudged {
  int64_t judged = 0;
  int64_t all = 0;
  std::vector<WhyNot> why_not;  // the most frequent first; last the rules whose reason has no phrase
};

/// The short form of a message of SKIP or BLOCKED; "" if it has none.
std::string PhraseOf(std::string_view message);

/// A rule is judged if a case that was judged tests it. The reason for another rule is the most frequent one of its
/// cases.
RulesJudged RulesJudgedOf(const Run& run, const ReportContext& context);

/// "no CUDA device, no sub-byte types, imports not claimed, and others": at most three, without the last kind of
/// WhyNot. Empty if there is nothing to say.
std::string WhyNotText(const RulesJudged& rules);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_RULES_JUDGED_H_
