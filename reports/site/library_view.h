// reports/site/library_view.h: what the pages of a site show of one library.
#ifndef DLPACK_CTS_REPORTS_SITE_LIBRARY_VIEW_H_
#define DLPACK_CTS_REPORTS_SITE_LIBRARY_VIEW_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/conclusion.h"
#include "reports/reports.h"
#include "reports/site/features.h"
#include "results/result.h"

namespace dlpack_cts {

/// The verdict of one rule, from its cases and from the causes that violate it.
struct RuleState {
  Verdict verdict = Verdict::kSkip;
  bool hostile_only = false;     // every case of the rule uses invalid input
  std::vector<std::string> why;  // the messages of the deviations, or why it was not judged; each once
};

/// Counts of the rules of a chapter. Rules that only invalid input tests are left out.
struct ChapterState {
  int64_t held = 0;      // PASS or NOTE
  int64_t violated = 0;  // a deviation
  int64_t not_judged = 0;
  Verdict worst = Verdict::kSkip;

  int64_t judged() const { return held + violated; }
};

struct History;

struct LibraryView {
  const Run* run = nullptr;
  std::string name;                  // "numpy 2.4.6"
  std::string key;                   // "numpy": the name of its page
  bool has_report = false;           // a folder of that name holds the report of every case
  const History* history = nullptr;  // of its releases; may be missing
  Conclusion conclusion;
  std::string_view word;                   // "conforms"
  std::map<std::string, RuleState> rules;  // of the catalogue and of the run
  std::map<std::string, ChapterState> chapters;
  std::map<std::string, FeatureAnswer> answers;  // by the id of the feature
  int64_t violated = 0;                          // rules, with valid input
  int64_t judged = 0;
};

/// The chapter of a rule: "C-STRIDES" of "C-STRIDES-01".
std::string ChapterOf(const std::string& rule);

LibraryView ViewOf(const Run& run, const std::string& key, const ReportContext& context,
                   const std::vector<Feature>& features);

/// Those that do not conform first, then by the gravest verdict and by the number of violated rules.
bool IsWorse(const LibraryView& a, const LibraryView& b);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SITE_LIBRARY_VIEW_H_
